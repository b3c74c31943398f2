// Usage over time is kept in 63 levels, which take a byte in memory and a letter in a file. A sparkline has
// only eight heights, so it looks the same with more levels.

const highestLevel = 63;

/** Returns the level of a percentage; 0 if there is none. */
export function usageLevelFrom(percent: number | null | undefined): number {
	if (typeof percent !== 'number' || !Number.isFinite(percent)) return 0;
	return 1 + Math.round((Math.max(0, Math.min(percent, 100)) / 100) * (highestLevel - 1));
}

/** Returns the percentage that a level stands for; undefined for level 0. */
export function percentFromLevel(level: number): number | undefined {
	return level > 0 ? ((level - 1) / (highestLevel - 1)) * 100 : undefined;
}

const letters = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_';

/** Writes levels as a text with one letter for each. */
export function textFromLevels(levels: Iterable<number>): string {
	return Array.from(levels, level => letters[level] ?? letters[0]).join('');
}

// A table finds the level of each letter without a search, because ten thousand computers have a million letters.
const levelByCode = new Uint8Array(128);
for (let level = 0; level < letters.length; level += 1)
	levelByCode[letters.charCodeAt(level)] = level;

/** Reads the levels in a text. A letter without a meaning counts as a gap. */
export function levelsFromText(text: string): Uint8Array {
	const levels = new Uint8Array(text.length);
	for (let at = 0; at < text.length; at += 1) levels[at] = levelByCode[text.charCodeAt(at)] ?? 0;
	return levels;
}
