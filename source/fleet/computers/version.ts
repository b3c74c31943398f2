/** 1.4 is older than 1.4.1, and a pre-release is older than its release (1.4.0-rc < 1.4.0). */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [parseVersion(a), parseVersion(b)];
	return (
		compareSegments(left.numbers, right.numbers) ||
		Number(left.early.length === 0) - Number(right.early.length === 0) ||
		compareSegments(left.early, right.early)
	);
}

/** An unknown version is never behind. */
export function isOutdated(
	version: string | null | undefined,
	latest: string | undefined,
): boolean {
	if (!version || !latest || version === latest) return false;
	return compareVersions(version, latest) < 0;
}

function parseVersion(version: string) {
	const [, numbers = '', early] = /^(?:v(?=\d))?([^-+]*)(?:-([^+]*))?/i.exec(version.trim()) ?? [];
	return { numbers: numbers.split('.'), early: early ? early.split('.') : [] };
}

function compareSegments(left: readonly string[], right: readonly string[]): number {
	const length = Math.max(left.length, right.length);
	for (let index = 0; index < length; index += 1) {
		const order = compareSegment(left[index], right[index]);
		if (order !== 0) return order;
	}
	return 0;
}

function compareSegment(a: string | undefined, b: string | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return -1;
	if (b === undefined) return 1;
	const [left, right] = [Number.parseInt(a, 10), Number.parseInt(b, 10)];
	if (left !== right && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
	return a < b ? -1 : 1;
}
