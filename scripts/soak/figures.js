/** Reduces points to the median of each block of time, because neighbouring samples are not independent. */
export function medianBlocks(points, milliseconds) {
	const blocks = new Map();
	for (const [x, y] of points) {
		const block = Math.floor((x * 60_000) / milliseconds);
		blocks.set(block, [...(blocks.get(block) ?? []), [x, y]]);
	}
	return [...blocks.values()].map(some => [
		percentile(
			some.map(([x]) => x),
			0.5,
		),
		percentile(
			some.map(([, y]) => y),
			0.5,
		),
	]);
}

/** Fits a line through the points by least squares, and returns its slope with the standard error. */
export function slopeOf(points) {
	const count = points.length;
	const mean = pick => points.reduce((sum, point) => sum + pick(point), 0) / count;
	const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
	const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
	const rests = points.map(([x, y]) => y - meanY - slope * (x - meanX));
	const squares = rests.reduce((sum, rest) => sum + rest * rest, 0);
	return { slope, error: Math.sqrt(squares / Math.max(1, count - 2) / spread) };
}

export const percentile = (numbers, part) =>
	numbers.toSorted((a, b) => a - b)[
		Math.min(numbers.length - 1, Math.floor(numbers.length * part))
	];
