/** How often a walk met each situation. A walk that never meets one does not test its rule. */
const zeroCounts = {
	/** Questions about an operation that were shown. */
	questions: 0,
	/** Requests that change something. */
	requests: 0,
	deletes: 0,
	creates: 0,
	/** Confirmations of several computers at once. */
	batches: 0,
	/** Operations that Esc cancelled. */
	cancelled: 0,
	/** Requests that were refused and sent again. */
	resent: 0,
	/** Requests whose response never arrived. */
	lostAnswers: 0,
	locks: 0,
	/** Resizes while a question was open. */
	resized: 0,
	/** Countdowns that were held because they could not be seen. */
	held: 0,
	/** Operations whose grace was over while the quit dialog was open. */
	queueHeld: 0,
	/** Presses of Esc in a dialog. */
	escapes: 0,
	/** Keys that came within the 300 ms in which a dialog ignores them. */
	deafKeys: 0,
	/** Pastes while a dialog was open, and elsewhere. */
	dialogPastes: 0,
	otherPastes: 0,
	/** Sequences that are not keys. */
	junk: 0,
	/** Frames after a silence of the platform that is long enough to be shown. */
	silences: 0,
	/** Questions during such a silence. */
	silentQuestions: 0,
	/** Frames in which the program is signed out. */
	signedOut: 0,
};

export type SituationCounts = typeof zeroCounts;

export type Report = ReturnType<typeof createReport>;

/** Collects what happened, for the message of a failure, and what must not have happened. */
export function createReport(elapsed: () => number) {
	const start = elapsed();
	const problems: string[] = [];
	const story: string[] = [];
	const met: SituationCounts = { ...zeroCounts };

	return {
		met,
		note(line: string) {
			story.push(`${elapsed() - start} ${line}`);
			if (story.length > 30) story.shift();
		},
		problem(what: string) {
			problems.push(what);
		},
		/** Throws when a rule was broken, with the last events and the screen. */
		throwProblems(frame: string) {
			if (problems.length > 0) throw new Error([...story, ...problems, frame].join('\n'));
		},
	};
}
