import { partsThatFit, type Span } from '../../drawing/span.ts';
import { type Binding, yesKeyOf } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { Theme } from '../../lines/theme.ts';

//  y stops · n cancels · c copies the command
//  Enter deletes · Esc cancels · Ctrl-Y copies the command

/** The actions that answer a dialog, by the way in which it is answered. */
const waysToAnswer = {
	letter: { accept: 'yes', refuse: 'no', copy: 'copyCommand' },
	typing: { accept: 'submit', refuse: 'closeDialog', copy: 'copyTypedCommand' },
	palette: { accept: 'choose', refuse: 'back' },
	columns: { accept: 'showColumn', refuse: 'back' },
} as const;

type DialogKeys = {
	answeredBy: keyof typeof waysToAnswer;
	/** The key that opened the question. It never confirms the question. */
	openingKey?: string | undefined;
	/** The effect of the key that accepts, as a verb such as "stops". */
	accept: string;
	/** The effect of the key that refuses, as a verb such as "cancels". */
	refuse?: string;
	/** Whether Esc goes back to an earlier answer. */
	goesBack?: boolean;
	copiesCommand?: boolean;
	/** The hints for other actions. */
	others?: readonly KeyHint[];
};

type KeyHint = readonly [action: string, effect: string];

/**
 * Words the keys of a dialog. All dialogs name them in the same order: the key that accepts, the key that refuses, and
 * then the others.
 */
export function dialogHints(
	bindings: readonly Binding[],
	{
		answeredBy,
		openingKey,
		accept,
		refuse = 'cancels',
		goesBack = false,
		copiesCommand = false,
		others = [],
	}: DialogKeys,
): readonly string[] {
	const way = waysToAnswer[answeredBy];
	const isByLetter = way.accept === 'yes';
	const yes = isByLetter ? [`${yesKeyOf(bindings, openingKey)} ${accept}`] : [];
	const isRefusable = !isByLetter || shownKeyOf(bindings, way.refuse) !== undefined;
	const refuseAction = isRefusable ? way.refuse : 'closeDialog';
	const goesBackInstead = goesBack && !isByLetter;
	return [
		...yes,
		...keyHints(bindings, [
			...(isByLetter ? [] : [[way.accept, accept] as const]),
			[refuseAction, goesBackInstead ? 'goes back' : refuse],
			...(goesBack && isByLetter ? [['closeDialog', 'goes back'] as const] : []),
			...(copiesCommand && 'copy' in way ? [[way.copy, 'copies the command'] as const] : []),
			...others,
		]),
	];
}

/** Words the hints for actions, such as `Esc cancels`. An action without a key has no hint. */
export function keyHints(
	bindings: readonly Binding[],
	hints: readonly KeyHint[],
): readonly string[] {
	return hints.flatMap(([action, effect]) => {
		const key = shownKeyOf(bindings, action);
		return key === undefined ? [] : [`${key} ${effect}`];
	});
}

/**
 * Draws the hints in one line, as many as fit, the most important first. The key that refuses always fits, if necessary
 * without its effect, because a person must see how to leave a question.
 */
export function keyLine(hints: readonly string[], width: number, theme: Theme): readonly Span[] {
	const gap = ` ${theme.glyphs.separator} `;
	const [accept = '', refuse = '', ...others] = hints;
	const isRefusalCut = accept.length + gap.length + refuse.length > width;
	const [refusingKey = ''] = refuse.split(' ');
	const shown = isRefusalCut ? [accept, refusingKey] : [accept, refuse, ...others];
	const parts = shown.filter(Boolean).map((hint): readonly Span[] => [[hint, 'faint']]);
	return partsThatFit(parts, gap, width, theme);
}
