import { labelWidth } from '../../drawing/section.ts';
import { fitToWidth, type Span } from '../../drawing/span.ts';
import type { Operation } from '../../fleet/operations/operation.ts';
import type { Failure } from '../../foundation/failure.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { creationSteps } from '../phrases/creation-text.ts';
import { adviceForError } from '../phrases/error-advice.ts';
import { adviceText, outcomeFromOperation } from '../phrases/outcome-text.ts';
import type { CellContext } from '../table/cell-context.ts';
import { stageSpans } from '../table/status-text.ts';
import { failingReadText } from './detail-values.ts';
import { minLinesForPlaces } from './usage-charts.ts';
import { paragraphLines } from './versions-text.ts';

//  image pull failed: disk quota exceeded
//  CPU        –  …                                       the values, which stay on their lines
//  24 h       ████████████████████████████████✖✖✖
//  Advice     Restart it; if the error comes back, …

type StageOptions = {
	account: AccountState;
	row: FleetRow;
	context: CellContext;
	width: number;
	/** How many lines the details have. */
	lines: number;
};

type Lines = readonly (readonly Span[])[];

/**
 * Shows what needs attention: an error, the steps of a creation, an operation, or a read that failed. `advice` says what to
 * try after an error. If there is room, it stands below the values, so that they do not move from one computer to the next.
 */
export function stageParts(options: StageOptions): { stage: Lines; advice: Lines } {
	const { account, row, context, width, lines } = options;
	const { theme, now } = context;
	const { computer, operation } = row;
	const failing = failingReadText(account, computer);
	const failingLines =
		failing === undefined ? [] : paragraphLines(failing, '', width, theme, 'busy');
	const { failure } = operation ?? {};
	const isCreation = computer.phase === 'creating' && !failure && !computer.isMissing;
	if (isCreation && computer.reading.stage) {
		const { changes } = account;
		const readAt = context.lastReadAtOf(row) ?? now;
		const steps = creationSteps(computer, { changes, readAt, now, width, theme });
		return { stage: [...steps, ...failingLines], advice: [] };
	}
	const isError = computer.phase === 'error';
	// An error is wrapped, not cut.
	const stage = stageSpans(row, isError ? Number.POSITIVE_INFINITY : width - 2, context);
	if (stage.every(([text]) => text === '')) return { stage: failingLines, advice: [] };
	if (failure === undefined && !isError)
		return { stage: [[[' '], ...stage], ...failingLines], advice: [] };
	const advice =
		operation && failure ? adviceAfter(operation, failure) : adviceForError(computer.reading);
	const paragraphs = stage.flatMap(([text, tone]) => paragraphLines(text, '', width, theme, tone));
	if (lines < minLinesForPlaces) {
		const adviceLines = advice === '' ? [] : paragraphLines(advice, '', width, theme, 'faint');
		return { stage: [...paragraphs, ...adviceLines, ...failingLines], advice: [] };
	}
	const isCut = paragraphs.length > 1;
	const [first = []] = isCut ? [fitToWidth([[' '], ...stage], width - 1, theme)] : paragraphs;
	return {
		stage: [first, ...failingLines],
		advice: [
			...(isCut ? labelledLines('Error', stage, width, context) : []),
			...(advice === '' ? [] : labelledLines('Advice', [[advice, 'faint']], width, context)),
		],
	};
}

const labelledLines = (
	label: string,
	spans: readonly Span[],
	width: number,
	{ theme }: CellContext,
): Lines =>
	spans.flatMap(([text, tone]) =>
		paragraphLines(text, label.padEnd(labelWidth), width, theme, tone),
	);

function adviceAfter(operation: Operation, { message }: Failure): string {
	const advice = adviceText(outcomeFromOperation(operation));
	return operation.stage === 'unknown' ? `Last response: ${message}. ${advice}` : advice;
}
