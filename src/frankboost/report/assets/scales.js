// Axes: where a value falls between 0 and 1 (`at`, and `value` back again), and which values get a tick.

/** The axis for some values with about `count` ticks; a logarithmic one takes positive values only. */
function makeAxis(values, log, count) {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return log ? logAxis(low, high, count) : linearAxis(low, high, count);
}

function linearAxis(low, high, count) {
  if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) {
    [low, high] = [Math.min(0, 2 * low), Math.max(0, 2 * high) || (low < 0 ? 0 : 1)];
  }
  const step = niceStep((high - low) / count);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  [low, high] = [first * step, last * step];
  return { ticks, low, high, at: (v) => (v - low) / (high - low), value: (t) => low + t * (high - low) };
}

/** 1, 2 or 5 times a power of ten, the least that is not below `step`. */
function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].find((digit) => digit * power >= step * (1 - 1e-9)) * power;
}

function logAxis(low, high, count) {
  if (high / low < 1.1) [low, high] = [low / 2, high * 2];
  const room = (high / low) ** 0.02;
  [low, high] = [low / room, high * room];
  const decades = Math.log10(high / low);
  let ticks = logTicks(low, high, decades, count);
  if (ticks.length < 2) ticks = linearAxis(low, high, count).ticks.filter((v) => v >= low && v <= high);
  return { ticks, low, high, at: (v) => Math.log10(v / low) / decades, value: (t) => low * (high / low) ** t };
}

/** Every decade, with some or all digits between where there is room, or every so many decades. */
function logTicks(low, high, decades, count) {
  const digits = 12 * decades <= count ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : 4 * decades <= count ? [1, 2, 3, 5] : [1];
  const stride = Math.ceil(decades / count);
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    if (power % stride === 0) ticks.push(...digits.map((digit) => Number(`${digit}e${power}`)));
  }
  return ticks.filter((v) => v >= low && v <= high);
}

/** 0.001, 20000, 2×10⁻⁶ */
function tickText(value) {
  const [digits, power] = Number(value.toPrecision(6)).toExponential().split("e").map(Number);
  if (value === 0 || Math.abs(power) < 5) return minus(Number(value.toPrecision(6)));
  const raised = [...String(power)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("");
  return `${digits === 1 ? "" : `${minus(digits)}×`}10${raised}`;
}

/** Four digits, and all of a whole number. */
function readingText(value) {
  return minus(Number.isInteger(value) ? value : Number(value.toPrecision(4)));
}

function minus(number) {
  return String(number).replace("-", "−");
}
