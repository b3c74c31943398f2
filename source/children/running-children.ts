/** The children that run. They are ended when this program ends. */
export type RunningChildren = {
	/** Adds a child. Returns a function that removes it, to be called when the child has ended. */
	add(kill: () => void): () => void;
	/** Ends all children and their groups without waiting, because the exiting process cannot wait. */
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
