import { type CountdownCover, countdownCoverIn, offersToCancel, operationIn } from './frame.ts';
import { createOpenDialog, idIn } from './open-dialog.ts';
import { type ArrivedRequest, createPermissions } from './permissions.ts';
import { type Context, createReport, type WitnessOptions } from './report.ts';
import { createDialogRules, createSendingRules, createSilenceRule } from './rules.ts';

export type Witness = ReturnType<typeof createWitness>;

/**
 * Checks the rules of the design. The witness sees only the screen, the keys and the requests that arrive at
 * the platform, and nothing else of the program.
 */
export function createWitness(options: WitnessOptions) {
	const context: Context = { ...options, ...createReport(options.elapsed) };
	const { counts, note, problem, elapsed } = context;
	const permissions = createPermissions(context);
	const sending = createSendingRules(context);
	const silence = createSilenceRule(context);
	const dialogRules = createDialogRules(context);
	const dialog = createOpenDialog(context, ({ title, text, line }, question) => {
		if (title === 'Unlock?') sending.unlocked();
		if (!question) return;
		// A port without leading zeros: `080` is port 80.
		const typedPort = /port (\d+) of/.exec(title)?.[1] ?? line.text;
		const hasPort = question.operation.endsWith('publish');
		const port = hasPort ? typedPort.replace(/^0+(?=.)/, '') : undefined;
		permissions.grant(question, text, idIn(text), port);
		if (/ Starts .*?first\. /.test(` ${text} `))
			permissions.grant({ ...question, operation: 'start' }, text, idIn(text), port);
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

	/** Records the screen before bytes that are not keys. Returns what checks it afterwards. */
	function beforeBytes(isPaste: boolean) {
		const check = dialogRules.beforeBytes(frame, dialog.current(), isPaste);
		return () => check(frame, sending.isLocked());
	}

	return {
		counts,
		throwProblems: () => context.throwProblems(frame),
		/** Checks a frame of the idle program. */
		saw(next: string, isGreen: () => boolean) {
			const coverBefore = cover;
			dialogRules.saw({ before: frame, frame: next, keys, wasCovered: cover !== undefined });
			frame = next;
			// On a slow line, the frame from before may stay for a moment when the terminal is taken again or grows.
			if (cover === 'shell' || cover === 'small') mayBeOldFrame = true;
			else if (keys.length > 0) mayBeOldFrame = false;
			updateCover(countdownCoverIn(frame, mayBeOldFrame));
			sending.saw(frame, cover, coverBefore);
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
		/** Records a paste. Returns what checks the screen after it. */
		pasting(text: string) {
			sending.active();
			note(`paste ${JSON.stringify(text)}`);
			if (dialog.current()) counts.dialogPastes += 1;
			else counts.otherPastes += 1;
			const check = beforeBytes(true);
			dialog.pasted(text);
			return check;
		},
		/** Records the arrival of bytes that are not keys. Returns what checks the screen after it. */
		disturbing(bytes: string) {
			note(`not keys: ${JSON.stringify(bytes)}`);
			counts.junk += 1;
			return beforeBytes(false);
		},
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
			return permissions.use(arrival, request);
		},
		/** Records that a request that changes something got no response. */
		lost() {
			counts.lostAnswers += 1;
		},
	};
}
