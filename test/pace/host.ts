import nodeFiles, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import type { Ledger } from '../../source/pace/ledger.ts';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';
import { documentedLimits, slotLifetimeMs } from '../../source/pace/limits.ts';

type HostOptions = {
	maxBytes?: number;
	/** The disk of the host; a temporary directory of this machine if absent. */
	disk?: LedgerFs;
};

/** Creates a host whose processes share a directory and a clock. Disposing of the host removes the directory. */
export function createHost({ maxBytes = 65_536, disk }: HostOptions = {}) {
	const place = disk ? '/host' : mkdtempSync(join(tmpdir(), 'pace-'));
	const directory = join(place, 'state', 'crowsnest');
	const ledgers: Ledger[] = [];
	let now = 1_000_000;
	let pids = 100;

	const files = () => (disk ?? nodeFiles).readdirSync(directory).sort();
	return {
		directory,
		files,
		newest() {
			const generations = files().map(file => Number(file.split('.')[1]));
			return join(directory, `pace-1.${Math.max(...generations)}`);
		},
		move(milliseconds: number) {
			now += milliseconds;
		},
		reboot(uptime: number) {
			now = uptime;
		},
		process(files: LedgerFs = disk ?? nodeFiles, onProblem?: (message: string) => void) {
			const pid = ++pids;
			const msSinceBoot = () => now;
			const options = { directory, baseName: 'pace-1', pid, random: () => 0.5, msSinceBoot };
			const ledger = createDiskLedger({
				...options,
				files,
				maxBytes,
				...(onProblem && { onProblem }),
			});
			ledgers.push(ledger);
			return ledger;
		},
		[Symbol.dispose]() {
			for (const ledger of ledgers) ledger.close();
			if (!disk) rmSync(place, { recursive: true, force: true });
		},
	};
}

export const rule = documentedLimits.other;

/** Takes a slot if one is free, as the limiter of a scope does. */
export function takeSlot(ledger: Ledger, limit = rule.maxRequests) {
	for (;;) {
		const { taken, spends } = ledger.refresh().other;
		if (spends.size >= limit) return undefined;
		const id = ledger.newSlotId();
		const hold = rule.maxTransitMs + slotLifetimeMs(rule);
		const spend = { id, number: taken + 1, at: ledger.now(), hold };
		const after = ledger.append({ kind: 'take', scope: 'other', ...spend });
		if (after.other.spends.has(id)) return spend;
	}
}

export function finishRequest(ledger: Ledger, { id, number }: { id: string; number: number }) {
	const at = ledger.now();
	ledger.append({ kind: 'done', scope: 'other', id, number, at, hold: slotLifetimeMs(rule) });
}

export const spentCount = (ledger: Ledger) => ledger.refresh().other.spends.size;
