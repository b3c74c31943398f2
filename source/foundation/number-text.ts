export function countText(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** As in "atlas, borealis, cygnus and 4 more". */
export function firstNamesAndCount(names: readonly string[], maxCount = 3): string {
	const otherCount = names.length - maxCount;
	return otherCount > 0
		? `${names.slice(0, maxCount).join(', ')} and ${countText(otherCount)} more`
		: names.join(', ');
}

export function decimalText(value: number): string {
	const [whole = '', decimals = ''] = value.toFixed(2).split('.');
	return `${whole.replace(/\d+/, digits => countText(Number(digits)))}.${decimals}`;
}

/** In at most eight cells: 38.75, 1,234.56, 123,457, 12.3M. */
export function amountText(amount: number): string {
	const size = Math.abs(amount);
	if (size < 9_999.995) return decimalText(amount);
	if (size < 999_999.5) return countText(Math.round(amount));
	return size < 1e9 ? `${(amount / 1e6).toFixed(1)}M` : amount.toExponential(1);
}

/** In at most four cells: 0.82, 12.3, 123, 12k. */
export function rateText(rate: number): string {
	if (rate < 9.995) return rate.toFixed(2);
	if (rate < 99.95) return rate.toFixed(1);
	if (rate < 999.5) return rate.toFixed(0);
	return rate < 999_500 ? `${Math.round(rate / 1e3)}k` : `${Math.round(rate / 1e6)}M`;
}
