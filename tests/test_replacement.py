"""A file is the old one or the new one, never a part."""

import os

import pytest

from frankboost.replacement import replacing


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


def test_the_new_file_takes_the_place_of_the_old(path):
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt(), ValueError()])
def test_whatever_goes_wrong_the_old_file_stays(path, error):
    with pytest.raises(type(error)), replacing(path) as file:  # noqa: PT012
        file.write(b"ne")
        raise error
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_a_disk_that_says_so_at_the_end(path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as raised, replacing(path) as file:
        file.write(b"new")
    assert raised.value.filename == str(path)
    assert path.read_bytes() == b"old"


def test_a_folder_that_is_not_there(tmp_path):
    path = tmp_path / "no" / "file"
    with pytest.raises(FileNotFoundError) as raised, replacing(path):
        pass
    assert raised.value.filename == str(path)


def test_a_device_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK)
    with replacing(tmp_path / "pipe") as file:
        file.write(b"new")
    assert os.read(reading, 9) == b"new"
    os.close(reading)
