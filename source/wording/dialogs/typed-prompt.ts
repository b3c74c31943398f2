import type { Span } from '../../drawing/span.ts';
import type { QuestionStep } from '../../operations/question.ts';
import type { DialogEntry } from '../../screen/dialog-entry.ts';
import { historySearchPrompt } from '../phrases/history-search-text.ts';

/** Sets off the text that a confirmation expects, because a person has to copy it letter by letter. */
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
