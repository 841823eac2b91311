// Numbers as the command line writes them (render/numbers.py), for the web page and for reports. No other script formats a number.

const NOTHING = "–";
const SMALLEST_P = 0.0001;

/** Whether a number, given by all its digits, is half-way between two of so many digits, and the lower one is even. */
const halfWay = (digits, kept) => /^50*$/.test(digits.slice(kept)) && "02468".includes(digits[kept - 1]);

/** A true minus sign, and no sign before zero. */
const signed = (text, negative, sign) => (/^[0.]+$/.test(text) ? text : `${negative ? "−" : sign ? "+" : ""}${text.replace("-", "−")}`);

/** A number with so many decimals: half-way cases go to the even digit. */
export function fixed(value, decimals = 4, sign = false) {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  if (size === Infinity) return signed("∞", value < 0, sign);
  const [whole, digits] = size.toFixed(100).split("."); // all digits of the binary number
  const stays = halfWay(whole + digits, whole.length + decimals);
  const text = stays ? (decimals ? `${whole}.${digits.slice(0, decimals)}` : whole) : size.toFixed(decimals);
  return signed(text, value < 0, sign);
}

/** A number with so many significant digits, as %g of C writes it. */
export function general(value, digits = 6) {
  if (value === null) return NOTHING;
  const size = Math.abs(value);
  if (size === Infinity) return signed("∞", value < 0);
  const [all, power] = size.toExponential(100).split("e");
  const stays = halfWay(all.replace(".", ""), digits);
  const short = stays ? `${all.slice(0, digits > 1 ? digits + 1 : 1)}e${power}` : size.toExponential(digits - 1);
  const [mantissa, exponent] = short.split("e").map(Number);
  if (exponent >= -4 && exponent < digits) return signed(String(Number(short)), value < 0);
  return signed(`${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`, value < 0);
}

/** A p-value for a table. */
export const pValue = (p) => (p === null ? NOTHING : p < SMALLEST_P ? "<0.0001" : fixed(p));

/** A p-value for a sentence. */
export const pEquation = (p) => (p !== null && p < SMALLEST_P ? "p < 0.0001" : `p = ${pValue(p)}`);

/** An interval. */
export const span = ([low, high], decimals = 4, sign = false) => `${fixed(low, decimals, sign)} … ${fixed(high, decimals, sign)}`;

/** A whole number, as text, with thin gaps between thousands. */
export const spaced = (text) => text.replace(/\B(?=(\d{3})+$)/g, "\u202f");
