import { type CountdownCover, countdownCoverIn, offersToCancel, operationIn } from './frame.ts';
import { createOpenDialog, idIn } from './open-dialog.ts';
import { type ArrivedRequest, createPermissions } from './permissions.ts';
import { createReport } from './report.ts';
import { createDialogRules, createSendingRules, createSilenceRule } from './rules.ts';

type Options = {
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

export type Witness = ReturnType<typeof createWitness>;

/**
 * Checks the rules of the design. The witness sees only the screen, the keys and the requests that arrive at
 * the platform, and nothing else of the program.
 */
export function createWitness(options: Options) {
	const { wall, elapsed, namesOf, isReadOnly, askingKeys } = options;
	const report = createReport(elapsed);
	const { counts, note, problem } = report;
	const permissions = createPermissions({ report, elapsed, namesOf });
	const sending = createSendingRules({ report, elapsed, isReadOnly });
	const silence = createSilenceRule({ report, wall, elapsed });
	const dialogRules = createDialogRules(report, isReadOnly);
	const dialog = createOpenDialog({
		report,
		wall,
		askingKeys,
		onConfirmed({ title, text, line }, question) {
			if (title === 'Unlock?') sending.unlocked();
			if (!question) return;
			const hasPort = question.operation.endsWith('publish');
			const port = hasPort ? portIn(/port (\d+) of/.exec(title)?.[1] ?? line.text) : undefined;
			permissions.grant(question, text, idIn(text), port);
			if (/ Starts .*?first\. /.test(` ${text} `))
				permissions.grant({ ...question, operation: 'start' }, text, idIn(text), port);
		},
	});
	let frame = '';
	let keys: readonly string[] = [];
	let cover: CountdownCover | undefined;
	let seenAt = elapsed();
	let mayBeOldFrame = false;

	/** Holds countdowns while something covers them, and restarts them from their full time afterwards. */
	function updateCover(next: CountdownCover | undefined) {
		// A dialog that closed by itself may have done so at any time since the last frame.
		const uncoveredAt = keys.length > 0 ? elapsed() : seenAt;
		if (next !== undefined) permissions.hold();
		else permissions.release(uncoveredAt);
		if (next === 'quit' && permissions.hasQueued()) counts.queueHeld += 1;
		if (next === 'small' || next === 'shell') dialog.cover();
		cover = next;
		seenAt = elapsed();
	}

	return {
		counts,
		throwProblems: () => report.throwProblems(frame),
		/** Checks a frame of the idle program. */
		saw(next: string, isGreen: () => boolean) {
			const before = { frame, cover };
			frame = next;
			dialogRules.saw({ before: before.frame, frame, keys, wasCovered: cover !== undefined });
			// On a slow line, the frame from before may stay for a moment when the terminal is taken again or grows.
			if (cover === 'shell' || cover === 'small') mayBeOldFrame = true;
			else if (keys.length > 0) mayBeOldFrame = false;
			updateCover(countdownCoverIn(frame, mayBeOldFrame));
			sending.saw(frame, cover, before.cover);
			silence.saw(frame, isGreen);
			dialog.saw(frame, keys);
			if (sending.isLocked() && operationIn(dialog.current()?.title ?? '')) {
				problem(`${dialog.current()?.title} opened while locked`);
			}
			keys = [];
		},
		/** Records that the program is suspended and the shell has the terminal. */
		sawShell() {
			updateCover('shell');
			keys = [];
		},
		pressed(pressed: readonly string[]) {
			sending.active();
			keys = pressed;
			note(`keys ${keys.join(' ')}`);
			if (keys[0] === 'escape' && offersToCancel(frame)) permissions.cancel();
			if (keys[0] === 'escape' && (cover === 'dialog' || cover === 'quit')) counts.escapes += 1;
			dialog.pressed(keys);
		},
		pasting(text: string) {
			sending.active();
			note(`paste ${JSON.stringify(text)}`);
			if (dialog.current()) counts.dialogPastes += 1;
			else counts.otherPastes += 1;
			dialogRules.beforeBytesArrive(frame, dialog.current());
			dialog.pasted(text);
		},
		pasted: () => dialogRules.checkUnchanged(frame, true, sending.isLocked()),
		/** Records the arrival of bytes that are not keys. */
		disturbing(bytes: string) {
			note(`not keys: ${JSON.stringify(bytes)}`);
			counts.junk += 1;
			dialogRules.beforeBytesArrive(frame, dialog.current());
		},
		disturbed: () => dialogRules.checkUnchanged(frame, false, sending.isLocked()),
		/** Records that a read was answered, or that it failed. */
		readEnded(isGood: boolean) {
			silence.readEnded(isGood);
			if (isGood) dialogRules.answered();
		},
		/** Records that the mouse was used. On a small screen, it may click the hint of a key that opens a question. */
		pointed() {
			sending.active();
			note('mouse');
			keys = ['mouse'];
		},
		resized() {
			if (dialog.current()) counts.resized += 1;
		},
		arrived(arrival: ArrivedRequest) {
			const { operation, id, port } = arrival;
			const request = `${operation} ${id}${port ? ` ${port}` : ''}`;
			note(`arrived ${request}`);
			counts.requests += 1;
			if (operation === 'delete') counts.deletes += 1;
			if (operation === 'create') counts.creates += 1;
			sending.arrived(arrival, request, cover, keys.length > 0);
			const refused = permissions.use(arrival, request);
			return {
				refused,
				lost() {
					counts.lostAnswers += 1;
				},
			};
		},
	};
}

/** Reads a port without leading zeros, so that `080` is port 80. */
function portIn(text: string): string {
	return text.replace(/^0+(?=.)/, '');
}
