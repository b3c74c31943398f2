import type { Span } from '../../drawing/span.ts';
import type { QuestionStep } from '../../operations/question-wording.ts';
import type { DialogEntry } from '../../screen/dialog-entry.ts';
import { historySearchPrompt } from '../phrases/history-search-text.ts';

/** Highlights the text that a person has to type to confirm, because it must be copied letter by letter. */
export function typedPrompt(step: QuestionStep, { assist }: DialogEntry): readonly Span[] {
	const { prompt } = step;
	const expected = step.kind === 'typed' ? step.expectedText : '';
	const at = expected === '' ? -1 : prompt.indexOf(expected);
	const spans: readonly Span[] =
		at < 0
			? [[`${prompt} `]]
			: [[prompt.slice(0, at)], [expected, 'chosen'], [`${prompt.slice(at + expected.length)} `]];
	return assist?.kind === 'search' ? historySearchPrompt(assist, spans) : spans;
}
