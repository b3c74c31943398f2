/**
 * Finds the process whose terminal a person used last. `note` and `without` return whether the answer has changed.
 */
export function createUsedLast(ownPid: number) {
	const attendedUntilByPid = new Map<number, number>();
	let chosen = ownPid;

	function choose(): boolean {
		const before = chosen;
		let latest = Number.NEGATIVE_INFINITY;
		for (const [pid, until] of attendedUntilByPid) {
			// If two processes have the same time, the process that reported it later counts.
			if (until < latest) continue;
			latest = until;
			chosen = pid;
		}
		return chosen !== before;
	}

	return {
		pid: () => chosen,
		/** Notes until when a person at this process counts as watching. The time comes from `Attention`. */
		note(pid: number, attendedUntil: number): boolean {
			if (attendedUntilByPid.get(pid) === attendedUntil) return false;
			attendedUntilByPid.delete(pid);
			attendedUntilByPid.set(pid, attendedUntil);
			return choose();
		},
		without(pid: number): boolean {
			const before = chosen;
			attendedUntilByPid.delete(pid);
			if (chosen === pid) chosen = ownPid;
			choose();
			return chosen !== before;
		},
	};
}
