import { stripVTControlCharacters } from 'node:util';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import { firstNamesAndCount } from '../foundation/number-text.ts';
import { withAsciiSigns } from '../lines/ascii.ts';
import { cut, textOf } from '../lines/span.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import type { Program } from '../terminal/terminal.ts';
import { outcomeText } from '../views/phrases/outcome.ts';

const tickMs = 1000;

/** Shown only on a terminal, as in "atlas, borealis and 3 more: stopping: 2 of 7 ended, 12 s". */
export function createProgressLine(
	{ stderr, env }: Pick<Program, 'stderr' | 'env'>,
	clock: Clock,
	total: number,
) {
	const { hasUnicode } = environmentFrom(env);
	const isShown = stderr.isTTY && env['TERM'] !== 'dumb';
	const startedAt = clock.now();
	let left: readonly OperationSpec[] = [];
	let cancelTick = () => {};

	function draw() {
		if (!isShown || left.length === 0) return;
		const text = progressText(left, total, clock.now() - startedAt);
		const line = textOf(cut([[text]], Math.max(1, stderr.columns - 1)));
		const shown = hasUnicode ? line : withAsciiSigns(line);
		stderr.write(`\r${stripVTControlCharacters(shown)}\x1b[K`);
		cancelTick();
		cancelTick = clock.after(tickMs, draw);
	}
	function erase() {
		if (isShown && left.length > 0) stderr.write('\r\x1b[K');
	}

	return {
		show(next: readonly OperationSpec[]): void {
			left = next;
			draw();
		},
		eraseWhile(write: () => void): void {
			erase();
			write();
			draw();
		},
		end(): void {
			cancelTick();
			erase();
			left = [];
		},
	};
}

function progressText(remaining: readonly OperationSpec[], total: number, time: number): string {
	const [first] = remaining;
	if (!first) return '';
	const endedText = total > 1 ? `${total - remaining.length} of ${total} ended, ` : '';
	const names = firstNamesAndCount(remaining.map(({ name, computer }) => name ?? computer ?? ''));
	const reason = `${endedText}${durationText(time)}`;
	const name = names === '' ? undefined : names;
	return outcomeText({ ...first, name, stage: 'accepted', reason });
}
