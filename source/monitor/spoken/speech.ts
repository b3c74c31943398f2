import { spellOut, spokenSpans } from '../../lines/print.ts';
import type { LineTerminal } from '../../terminal/line-terminal.ts';
import { isFieldPlace } from '../../views/actions/places.ts';
import { spokenKey } from '../../views/actions/shown-keys.ts';
import type { OpenDialog } from '../../views/dialogs/dialog-table.ts';
import { openDialogText } from '../../views/dialogs/open-dialog.ts';
import { orderMenuText } from '../../views/frame/footer.ts';
import { typedLineFrom } from '../../views/look/typed-line.ts';
import type { Effect, Scene } from '../../views/scene.ts';

type TypedField = { id: string; prompt: string; typed: string };

type Speech = ReturnType<typeof createSpeech>;

/** Adds whole lines to the terminal, with the field that a person types into below them. */
export function createSpeech(terminal: Pick<LineTerminal, 'write' | 'endLine'>) {
	let field: TypedField | undefined;

	function writeField() {
		if (field) terminal.write(`${field.prompt} ${field.typed}`);
	}

	return {
		say(lines: readonly string[]) {
			if (lines.length === 0) return;
			if (field) terminal.endLine();
			for (const line of lines) {
				terminal.write(line);
				terminal.endLine();
			}
			writeField();
		},
		/** Adds new letters to the field. After a letter was erased, the rest is written as a new line. */
		type(next: TypedField | undefined) {
			const before = field;
			field = next;
			if (before && next && before.id === next.id && next.typed.startsWith(before.typed)) {
				terminal.write(next.typed.slice(before.typed.length));
				return;
			}
			if (before) terminal.endLine();
			writeField();
		},
	};
}

/**
 * Speaks a dialog when it opens, then the lines that change, and shows the field in which a person types. Before
 * `onSpoken`, nothing confirms the dialog or its next step.
 */
export function createDialogSpeaker(
	sceneNow: () => Scene,
	speech: Speech,
	onSpoken: (id: object | string, step: number) => void,
) {
	let before: OpenDialog | undefined;
	let spokenLines: readonly string[] = [];

	/** `effectId` is what the key does that is handled now. */
	return function update(effectId?: string) {
		const scene = sceneNow();
		const { dialog } = scene;
		const lines = dialog && dialogLines(dialog, scene);
		const open = lines && dialog;
		const isNew = open?.entry.id !== before?.entry.id;
		const isNewStep = isNew || open?.entry.answers.length !== before?.entry.answers.length;
		// The field of the dialog before ends above the new lines.
		if (isNew) speech.type(undefined);
		if (lines) speech.say(isNew ? lines : lines.filter(line => !spokenLines.includes(line)));
		else if (before) speech.say(closingWords(before, effectId));
		before = open;
		spokenLines = lines ?? [];
		speech.type(dialog && fieldOf(dialog));
		if (open && isNewStep) onSpoken(open.entry.id, open.entry.answers.length);
	};
}

/** The news say what an answer has begun. */
function closingWords({ kind }: OpenDialog, effectId: string | undefined): readonly string[] {
	if (effectId !== 'yes' && effectId !== 'submit') return ['Closed.'];
	return kind === 'password' ? ['Signing in.'] : [];
}

/** The lines of a dialog, with its keys where a key answers it; undefined for what is not made of sentences. */
function dialogLines(open: OpenDialog, scene: Scene): readonly string[] | undefined {
	const { entry } = open;
	// A duration that grows and a text that is typed would be new with every second and letter.
	const now = open.kind === 'question' ? open.question.openedAt : scene.now;
	const untyped = { ...open, entry: { ...entry, line: typedLineFrom('') } };
	const dialog = openDialogText(untyped, { ...scene, now });
	if (!dialog) return undefined;
	const { title, lines, command = '', problem = '', news = '', typed, hints } = dialog;
	const keys = typed ? '' : `${hints.join(', ')}.`;
	const body = lines.map(line => spokenSpans([line]));
	// A command is spoken as it is, because a person may copy it.
	return [title, ...body, command, ...[problem, news, keys].map(spellOut)].filter(
		text => text !== '',
	);
}

/** A key that does nothing says so, and which keys do something. */
export function unboundKey(key: string, scene: Scene): Effect {
	const { dialog, place, actions } = scene;
	const hints = dialog && openDialogText(dialog, scene)?.hints;
	const elsewhere = isFieldPlace(place) ? '' : 'Press the question mark for help.';
	const keys = place === 'order' ? orderMenuText(actions) : hints && `${hints.join(', ')}.`;
	const text = `${spokenKey(key)} does nothing here. ${keys ?? elsewhere}`;
	return { id: 'unboundKey', run: ({ say }) => say(text) };
}

/** The field that is typed into. A password is not shown. */
function fieldOf({ kind, entry, ...dialog }: OpenDialog): TypedField | undefined {
	const { line, assist } = entry;
	const typed = line.text;
	if (kind === 'password') return { id: 'password', prompt: 'Password, not shown:', typed: '' };
	if (assist?.kind === 'search')
		return { id: `history ${assist.typed}`, prompt: `History, ${assist.typed}:`, typed };
	if (kind === 'palette') return { id: kind, prompt: 'Command:', typed };
	if (kind === 'filter') return { id: kind, prompt: 'Filter:', typed };
	if (!('step' in dialog) || !dialog.step || dialog.step.kind === 'yes') return undefined;
	const id = `${dialog.question.id} ${dialog.question.answers.length}`;
	return { id, prompt: dialog.step.prompt, typed };
}
