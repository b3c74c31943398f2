/** How often a walk reached each situation. A rule is tested only by walks that reach its situation. */
const zeroCounts = {
	questions: 0,
	/** Requests that change something. */
	requests: 0,
	deletes: 0,
	creates: 0,
	/** Confirmations of several computers at once. */
	batches: 0,
	cancelled: 0,
	/** Requests that were refused and sent again. */
	resent: 0,
	lostAnswers: 0,
	locks: 0,
	/** Resizes while a question was open. */
	resized: 0,
	/** Countdowns that were held because they could not be seen. */
	held: 0,
	/** Operations whose countdown was over while the quit dialog was open. */
	queueHeld: 0,
	/** Presses of Esc in a dialog. */
	escapes: 0,
	/** Keys that came within the 300 ms in which a dialog ignores them. */
	ignoredKeys: 0,
	/** Pastes while a dialog was open, and pastes while none was. */
	dialogPastes: 0,
	otherPastes: 0,
	/** Byte sequences that are not keys. */
	junk: 0,
	/** Frames drawn after the platform was silent for so long that the screen must show it. */
	silences: 0,
	/** Questions that were open during such a silence. */
	silentQuestions: 0,
};

export type SituationCounts = typeof zeroCounts;

/** What the witness knows besides the screen, the keys and the requests. */
export type WitnessOptions = {
	/** The time of the program, which may jump. */
	wall: () => number;
	/** The elapsed time, which never jumps. */
	elapsed: () => number;
	/** All names that a computer has had. */
	namesOf: (id: string) => readonly string[];
	isReadOnly: boolean;
	/** The keys that may open a question, according to the actions. */
	askingKeys: ReadonlySet<string>;
};

/** What each rule knows, and reports to. */
export type Context = WitnessOptions & ReturnType<typeof createReport>;

/** Collects the events of a walk and the broken rules, for the message of a failure. */
export function createReport(elapsed: () => number) {
	const start = elapsed();
	const problems: string[] = [];
	const story: string[] = [];
	const counts: SituationCounts = { ...zeroCounts };

	return {
		counts,
		note(line: string) {
			story.push(`${elapsed() - start} ${line}`);
			if (story.length > 30) story.shift();
		},
		problem(message: string) {
			problems.push(message);
		},
		/** Throws an error with the last events and the screen if a rule was broken. */
		throwProblems(frame: string) {
			if (problems.length > 0) throw new Error([...story, ...problems, frame].join('\n'));
		},
	};
}
