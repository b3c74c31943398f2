/** The children that run, so that none of them runs on when this program has ended. */
export type RunningChildren = {
	/** Adds a child. Returns a function that removes it, to be called when the child has ended. */
	add(kill: () => void): () => void;
	/** Ends all children and their groups at once, without waiting. A process that exits can do no more. */
	killAll(): void;
};

export function createRunningChildren(): RunningChildren {
	const kills = new Set<() => void>();
	return {
		add(kill) {
			kills.add(kill);
			return () => void kills.delete(kill);
		},
		killAll() {
			for (const kill of kills) kill();
			kills.clear();
		},
	};
}
