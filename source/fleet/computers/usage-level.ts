// Usage over time is kept in 63 levels. A sparkline has only eight heights, so it looks the same with more levels.

const highestLevel = 63;

export function usageLevelFrom(percent: number | null | undefined): number {
	if (typeof percent !== 'number' || !Number.isFinite(percent)) return 0;
	return 1 + Math.round((Math.max(0, Math.min(percent, 100)) / 100) * (highestLevel - 1));
}

export function percentFromLevel(level: number): number | undefined {
	return level > 0 ? ((Math.min(level, highestLevel) - 1) / (highestLevel - 1)) * 100 : undefined;
}
