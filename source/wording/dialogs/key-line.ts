import { partsThatFit, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { type Binding, shownKeyOf, yesKeyOf } from '../../keys/binding.ts';

//  y stops · n cancels · c copies the command
//  Enter deletes · Esc cancels · Ctrl-Y copies the command

/** Words the hints for actions, such as `Esc cancels`. An action without a key has no hint. */
export function keyHints(
	bindings: readonly Binding[],
	hints: readonly (readonly [action: string, effect: string])[],
): readonly string[] {
	return hints.flatMap(([action, effect]) => {
		const key = shownKeyOf(bindings, action);
		return key === undefined ? [] : [`${key} ${effect}`];
	});
}

/** Words the keys that answer a question: `y stops`, `n cancels`. The key that opened the question never confirms it. */
export function answerHints(
	bindings: readonly Binding[],
	openingKey: string | undefined,
	{ yes, no = 'cancels' }: { yes: string; no?: string },
): readonly string[] {
	const noKey = shownKeyOf(bindings, 'no') ?? shownKeyOf(bindings, 'closeDialog');
	return [
		`${yesKeyOf(bindings, openingKey)} ${yes}`,
		...(noKey === undefined ? [] : [`${noKey} ${no}`]),
	];
}

/** Draws the hints in one line, as many as fit, the most important first. */
export function keyLine(hints: readonly string[], width: number, theme: Theme): readonly Span[] {
	const parts = hints.map((hint): readonly Span[] => [[hint, 'faint']]);
	return partsThatFit(parts, ` ${theme.glyphs.separator} `, width, theme);
}
