import { stripVTControlCharacters } from 'node:util';
import type { OperationId, OperationSpec, OperationStage } from '../fleet/operations/operation.ts';
import { operationIdsText, operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import { firstNamesAndCount } from '../foundation/number-text.ts';
import { withAsciiSigns } from '../lines/ascii.ts';
import { cut, textOf } from '../lines/span.ts';
import type { SkippedTarget } from '../operations/question-wording.ts';
import { operationIn } from '../store/our-operations.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import {
	type Outcome,
	outcomeFromOperation,
	outcomeText,
	resultOf,
} from '../views/phrases/outcome.ts';
import { type JsonFields, type JsonRecord, jsonText } from './command.ts';
import type { Fleet } from './fleet.ts';

export const outcomeFields = {
	id: 'id of the computer; null when it was not created',
	name: 'name of the computer, or its id',
	operation: operationIdsText(),
	result:
		'accepted (by the platform, not finished yet), done (also if it was so before), failed, unknown (no response) or ' +
		'skipped (not sent)',
	message: 'the reason, or the public address of a port; may be empty',
} as const satisfies JsonFields;

export function isSuccess(outcome: Outcome): boolean {
	const result = resultOf(outcome);
	return result === 'accepted' || result === 'done';
}

type Told = Pick<Fleet, 'session' | 'accountNow'>;

export function outcomeOf(fleet: Told, asked: OperationSpec): Outcome {
	const operation = operationIn(fleet.accountNow(), asked.key);
	if (!operation) return { ...asked, stage: 'queued', reason: 'not sent' };
	const { spec, stage, failure } = operation;
	const reasons: Readonly<Partial<Record<OperationStage, string | undefined>>> = {
		accepted: '',
		done: addressOf(fleet, spec) ?? '',
		sent: 'no response yet',
		unknown: failure?.message ?? '',
		failed: [failure?.message, failure?.advice].filter(Boolean).join('; '),
	};
	return { ...outcomeFromOperation(operation), reason: reasons[stage] ?? 'not sent' };
}

export function outcomeOfSkipped(
	fleet: Told,
	operation: OperationId,
	port: number | undefined,
	{ id: computer, name, reason, isSo }: SkippedTarget,
): Outcome {
	const target = { operation, port, computer, name };
	return isSo
		? { ...target, stage: 'done', alreadySo: reason, reason: addressOf(fleet, target) }
		: { ...target, stage: 'skipped', reason };
}

function addressOf(
	{ session, accountNow }: Told,
	{ operation, computer: id, port }: Pick<Outcome, 'operation' | 'computer' | 'port'>,
): string | undefined {
	const isPublished = operationRowOf(operation).goal.reaches === 'published';
	if (!isPublished || id === undefined || port === undefined) return undefined;
	const ports = accountNow().computers.get(id)?.reading.ports;
	return ports?.find(each => each.port === port)?.url ?? session.platform.publicAddress(id, port);
}

function outcomeRecord(outcome: Outcome) {
	const { operation, computer: id = null, name = id, alreadySo = '' } = outcome;
	const { reason: message = alreadySo } = outcome;
	const result = resultOf(outcome);
	return { id, name, operation, result, message } satisfies JsonRecord<typeof outcomeFields>;
}

/** A new computer is named with its id, which later commands can use. */
function outcomeLine(outcome: Outcome): string {
	const { operation, name, computer: id } = outcome;
	const isNew = operationRowOf(operation).subject === 'account' && name && id;
	return outcomeText(isNew ? { ...outcome, name: `${name} (${id})` } : outcome);
}

/** Prints an outcome to the output that it belongs to. */
export function printOutcome({ stdout, stderr }: Program, outcome: Outcome): void {
	const output = isSuccess(outcome) ? stdout : stderr;
	output.write(`${cleanForTerminal(outcomeLine(outcome))}\n`);
}

export const outcomesJson = (outcomes: readonly Outcome[]) => jsonText(outcomes.map(outcomeRecord));

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
