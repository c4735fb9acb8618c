"""What a package index shows needs nothing of the repository."""

import re
import runpy
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "long_description.py"


def test_no_link_of_the_readme_leads_nowhere():
    [text] = [each["text"] for each in runpy.run_path(str(TOOL))["dynamic_metadata"]({}, {}).values()]
    assert "<picture" not in text
    assert "<img" not in text
    assert re.findall(r"\]\(([^)]*)\)", text)
    assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)]*)\)", text))


def test_words_stay_and_asides_go():
    standing_alone = runpy.run_path(str(TOOL))["standing_alone"]
    written = (
        "<picture>\n<img>\n</picture>\n\nRead [it](docs/it.md), means\n([all](all.md)): [paper](https://a.b)."
    )
    assert standing_alone(written) == "Read it, means: [paper](https://a.b)."
