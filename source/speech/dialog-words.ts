import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { Leaving } from '../operations/leaving.ts';
import type { Picture } from '../operations/path.ts';
import { type Question, stepOf } from '../operations/question.ts';
import type { Dialog } from '../wording/dialog-text.ts';
import { passwordDialog } from '../wording/password-text.ts';
import { confirmationDialog, questionDialog } from '../wording/question-text.ts';
import { welcomeDialog } from '../wording/welcome-text.ts';
import type { Scene } from './scene.ts';
import { spelledOut, textOf } from './words.ts';

/** A dialog that is open: when that is another one, all of it is told. */
export type DialogWords = {
	/** What makes it another one. */
	key: string;
	title: string;
	lines: readonly string[];
	/** Its question, where one key answers it. */
	prompt: string | undefined;
	/** Only from when it is told may it be answered. */
	isAboutOperation: boolean;
};

/** A line that is being typed. */
export type TypedLine = { key: string; prompt: string; typed: string };

const welcomeKeys = 'l signs in to your account, Enter looks around the demo.';

type DialogSources = { wanted: PasswordPrompt | undefined; leaving: () => Leaving };

export function dialogWords(
	scene: Scene,
	{ wanted, leaving }: DialogSources,
): DialogWords | undefined {
	const { screen, picture, account, shown } = scene;
	if (screen.confirmation) {
		const { about, openedAt } = screen.confirmation;
		const dialog = confirmationDialog(screen.confirmation, leaving());
		return worded(`${about} ${openedAt}`, dialog, textOf(dialog.prompt), []);
	}
	if (wanted) {
		const key = `password ${wanted.why ?? ''}`;
		return worded(key, passwordDialog(wanted, 0), undefined, []);
	}
	const { question } = picture;
	if (!question)
		return screen.isWelcoming ? worded('welcome', welcomeDialog, welcomeKeys, []) : undefined;
	const step = stepOf(question);
	// Told once: a duration that grows would be another line each second.
	const inView = { screen, ids: shown.ids, now: question.openedAt };
	const dialog = questionDialog(question, account, inView);
	const prompt = step?.kind === 'yes' ? step.prompt : undefined;
	return { ...worded(question.id, dialog, prompt, exactIn(question)), isAboutOperation: true };
}

// What is copied or typed is told to the letter.
function exactIn({ command, targets }: Question): readonly string[] {
	return [command, ...targets.map(({ name }) => name)];
}

function worded(
	key: string,
	{ title, lines, commands: [command = ''] = [], problem = '' }: Dialog,
	prompt: string | undefined,
	exact: readonly string[],
): DialogWords {
	const texts = [...lines.map(([text]) => text), command, problem].filter(text => text !== '');
	const told = texts.map(text =>
		exact.some(each => each !== '' && text.includes(each)) ? text : spelledOut(text),
	);
	return { key, title, lines: told, prompt, isAboutOperation: false };
}

/** What is being typed; of a password nothing but that it is asked for. */
export function typedLineOf(
	{ screen, picture }: Pick<Scene, 'screen'> & { picture: Picture },
	wanted: PasswordPrompt | undefined,
	filter: string,
): TypedLine | undefined {
	if (screen.confirmation) return undefined;
	if (wanted) return { key: 'password', prompt: 'Password, not shown:', typed: '' };
	const { question } = picture;
	if (question) {
		const step = stepOf(question);
		if (!step || step.kind === 'yes') return undefined;
		const key = `${question.id} ${question.answers.length}`;
		return { key, prompt: step.prompt, typed: question.typed };
	}
	if (screen.palette) return { key: 'palette', prompt: 'Command:', typed: screen.palette.text };
	return screen.isFiltering ? { key: 'filter', prompt: 'Filter:', typed: filter } : undefined;
}
