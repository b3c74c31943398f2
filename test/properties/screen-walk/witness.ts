import { createDialogRules } from './dialog-rules.ts';
import { type Cover, coverIn, namedIn, offeredToKeep } from './frame.ts';
import { createOpenDialog, idIn } from './open-dialog.ts';
import { type Arrival, createPermissions } from './permissions.ts';
import { createReport } from './report.ts';
import { createSendingRules } from './sending-rules.ts';
import { createSilenceRule } from './silence-rule.ts';

type Options = {
	/** The time of the program, which may jump. */
	wall: () => number;
	/** The elapsed time, which never jumps. */
	elapsed: () => number;
	/** All names that a computer has had. */
	namesOf: (id: string) => readonly string[];
	isReadOnly: boolean;
	/** The keys that open a question, as far as the bindings show. */
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
	const { met, note, problem } = report;
	const permissions = createPermissions({ report, elapsed, namesOf });
	const sending = createSendingRules({ report, wall, elapsed, isReadOnly });
	const silence = createSilenceRule({ report, wall, elapsed });
	const dialogRules = createDialogRules(report, isReadOnly);
	const dialog = createOpenDialog({
		...{ report, wall, askingKeys },
		onConfirmed({ title, text, line }, named) {
			if (title === 'Locked') sending.unlocked();
			if (!named) return;
			const hasPort = named.operation.endsWith('publish');
			const port = hasPort ? portIn(/port (\d+) of/.exec(title)?.[1] ?? line) : undefined;
			permissions.grant(named, text, idIn(text), port);
		},
	});
	let frame = '';
	let keys: readonly string[] = [];
	let cover: Cover | undefined;
	let seenAt = elapsed();

	/** Restarts held countdowns from their full time when they are visible again. */
	function becomeCovered(next: Cover | undefined) {
		// A dialog that closed by itself may have done so at any time since the last frame.
		const uncoveredAt = keys.length > 0 ? elapsed() : seenAt;
		if (next !== undefined) permissions.hold();
		else permissions.release(uncoveredAt);
		if (next === 'quit' && permissions.hasQueued()) met.queueHeld += 1;
		if (next === 'small' || next === 'shell') dialog.cover();
		cover = next;
		seenAt = elapsed();
	}

	return {
		met,
		throwProblems: () => report.throwProblems(frame),
		/** Checks a frame of the idle program. */
		saw(next: string, isGreen: () => boolean) {
			const before = { frame, cover };
			frame = next;
			dialogRules.saw({ before: before.frame, frame, keys, wasCovered: cover !== undefined });
			becomeCovered(coverIn(frame));
			sending.saw(frame, cover, before.cover);
			silence.saw(frame, isGreen);
			dialog.saw(frame, keys);
			if (sending.isLocked() && namedIn(dialog.current()?.title ?? '')) {
				problem(`${dialog.current()?.title} is asked while locked`);
			}
			keys = [];
		},
		/** Records that the program is suspended and the shell has the terminal. */
		sawShell() {
			becomeCovered('shell');
			keys = [];
		},
		pressed(pressed: readonly string[]) {
			sending.active();
			keys = pressed;
			note(`keys ${keys.join(' ')}`);
			const offered = keys[0] === 'escape' ? offeredToKeep(frame) : undefined;
			if (offered) permissions.cancel(offered);
			if (keys[0] === 'escape' && (cover === 'dialog' || cover === 'quit')) met.escapes += 1;
			dialog.pressed(keys);
		},
		pasting(text: string) {
			sending.active();
			note(`paste ${JSON.stringify(text)}`);
			if (dialog.current()) met.dialogPastes += 1;
			else met.otherPastes += 1;
			dialogRules.disturb(frame, dialog.current());
			dialog.pasted(text);
		},
		pasted: () => dialogRules.checkDisturbed(frame, true, sending.isLocked()),
		/** Records that bytes arrive which are not keys. */
		disturbing(bytes: string) {
			note(`not keys: ${JSON.stringify(bytes)}`);
			met.junk += 1;
			dialogRules.disturb(frame, dialog.current());
		},
		disturbed: () => dialogRules.checkDisturbed(frame, false, sending.isLocked()),
		/** Records that a read was answered, or that it failed. */
		heard(isGood: boolean) {
			silence.heard(isGood);
			if (isGood) dialogRules.answered();
		},
		/** Records that the mouse was used. */
		pointed: sending.active,
		resized() {
			if (dialog.current()) met.resized += 1;
		},
		arrived(arrival: Arrival) {
			const { operation, id, port, isLost } = arrival;
			const what = `${operation} ${id}${port ? ` ${port}` : ''}`;
			note(`arrived ${what}`);
			met.requests += 1;
			if (operation === 'delete') met.deletes += 1;
			if (operation === 'create') met.creates += 1;
			if (isLost) met.lostAnswers += 1;
			sending.arrived(arrival, what, cover, keys.length > 0);
			permissions.use(arrival, what);
		},
		/** Records that the program ended or was killed, after which nothing may be sent. */
		ended() {
			permissions.clear();
			dialog.clear();
			sending.clear();
			silence.clear();
			dialogRules.clear();
			frame = '';
			cover = undefined;
		},
		opened: sending.active,
	};
}

/** Reads a port without leading zeros, so that `080` is port 80. */
function portIn(text: string): string {
	return text.replace(/^0+(?=.)/, '');
}
