import type { RequestFiles } from '../../source/limits/request-log.ts';

export type MemoryDisk = RequestFiles & {
	readonly texts: Map<string, string>;
	/** What was written to the disk itself before the call returned. */
	readonly synced: string[];
	/** Called before each access; it may throw, or do what another process does meanwhile. */
	before: (call: keyof RequestFiles, name: string) => void;
};

/** A folder in memory, for tests that use it thousands of times. `now` is the clock of the disk. */
export function createMemoryDisk(now: () => number): MemoryDisk {
	const texts = new Map<string, string>();
	const writtenAt = new Map<string, number>();
	const disk: MemoryDisk = {
		texts,
		synced: [],
		before: () => undefined,
		names() {
			disk.before('names', '');
			return [...texts.keys()];
		},
		read(name, from) {
			disk.before('read', name);
			const text = texts.get(name);
			if (text === undefined) return undefined;
			return { text: text.slice(from), size: text.length, writtenAt: writtenAt.get(name) ?? now() };
		},
		append(name, text, isSynced) {
			disk.before('append', name);
			texts.set(name, (texts.get(name) ?? '') + text);
			writtenAt.set(name, now());
			if (isSynced) disk.synced.push(text);
		},
		remove(name) {
			disk.before('remove', name);
			texts.delete(name);
		},
	};
	return disk;
}
