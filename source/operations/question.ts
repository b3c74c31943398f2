import { allPortsOf, computerName } from '../fleet/computers/computer.ts';
import { type GlobalId, globalIdOf, idsWithin } from '../fleet/computers/global-id.ts';
import { uptimeOf } from '../fleet/computers/uptime.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { strictnessOf } from '../fleet/operations/strictness.ts';
import { countText } from '../foundation/number-text.ts';
import { createRowAge, statusAnswerOf } from '../store/freshness.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { commandLineOf, commandValuesOf } from './own-commands.ts';
import type { AskedAccount } from './question-wording.ts';
import { buildQuestion, isAnswered, type Question } from './question-wording.ts';
import {
	goneText,
	obstacleTo,
	type Refused,
	readOnlyText,
	refusedBecause,
	type SkippedTarget,
	whatOthersDo,
	whyBusy,
} from './why-not.ts';

const maxTargets = 500;

export type AskOptions = OperationDetails & {
	openingKey?: string | undefined;
	account?: string | undefined;
	/** Whether a question is asked although a setting has switched it off, because a person may not have seen its target. */
	asksAnyway?: boolean | undefined;
	starting?: Question['starting'];
};

export type BegunOperations = {
	type: 'begun';
	operations: readonly { account: string; spec: OperationSpec }[];
	ids: readonly GlobalId[];
};

export type AnswerResult = BegunOperations | Refused;

export type AskResult = { type: 'question'; question: Question } | AnswerResult;

/** Captures the computers that accept an operation now. Nothing reads the selection again afterwards. */
export function captureQuestion(
	id: string,
	operation: OperationId,
	ids: readonly GlobalId[],
	accounts: readonly AskedAccount[],
	now: number,
	options: AskOptions = {},
): Question | Refused {
	const { port, name, provider, openingKey, asksAnyway, starting } = options;
	const details = { port, name, provider };
	const row = operationRowOf(operation);
	const isCreate = row.subject === 'account';
	if (row.ownCommand?.on === 'one' && ids.length > 1) {
		const why = `${row.label} runs on one computer at a time, and ${ids.length} are marked. Esc unmarks them`;
		return refusedBecause('not-allowed', why);
	}
	const captured = isCreate
		? accountsForCreate(accounts, options.account)
		: accounts.map(account => captureIn(account, operation, ids, details, now));
	const all = captured.flatMap(({ computers }) => computers);
	const isOffered = starting !== undefined && all.some(({ startable }) => startable);
	// If all are stopped, there is nothing else to ask for.
	const isChosen = isOffered && (starting === 'chosen' || !all.some(({ target }) => target));
	const parts = captured
		.map(({ account, computers }) => {
			const ready = computers.flatMap(({ target }) => target ?? []);
			const started = isChosen ? computers.flatMap(({ startable }) => startable ?? []) : [];
			return { account, targets: [...ready, ...started] };
		})
		.filter(({ targets }) => isCreate || targets.length > 0);
	const skipped = all.flatMap(each => (isChosen && each.startable ? [] : (each.skipped ?? [])));
	if (parts.length === 0) {
		if (isCreate) return refusedBecause('read-only', readOnlyText);
		const why =
			skipped.length > 0 ? 'No computer accepts the operation' : 'No computer is selected';
		return refusedBecause('not-allowed', why, skipped, { operation, port });
	}
	const count = parts.reduce((sum, { targets }) => sum + targets.length, 0);
	if (count > maxTargets) {
		const why = `At most ${maxTargets} computers at a time, and these are ${countText(count)}: narrow the filter or mark fewer`;
		return refusedBecause('too-many', why);
	}
	const strictness = strictnessOf(
		row,
		count,
		parts.map(({ account: { profile, questionStrictness } }) => {
			return { setting: questionStrictness?.[operation], isProduction: profile.isProduction };
		}),
	);
	const asked = {
		id,
		operation,
		skipped,
		details,
		starting: isChosen ? ('chosen' as const) : isOffered ? ('offered' as const) : undefined,
		openingKey,
		namesAccount: accounts.length > 1,
	};
	const isAskedAnyway = strictness === 'off' && asksAnyway && row.changes;
	return buildQuestion(asked, parts, isAskedAnyway ? 'ask' : strictness, now);
}

export function problemWithAnswers(
	answered: Question,
	accounts: readonly AskedAccount[],
): Refused | undefined {
	if (!isAnswered(answered))
		return refusedBecause('no-answer', 'Some parts of the question are not answered yet');
	const { targets } = answered;
	const isGone = ({ account, id }: Target) =>
		accounts.some(
			({ profile, state }) => profile.account === account && !state().computers.has(id),
		);
	const [only] = targets;
	if (!only || !targets.every(isGone)) return undefined;
	const who = targets.length === 1 ? `${only.name} no longer exists` : 'None of them exists';
	return refusedBecause('not-allowed', `${who}: nothing was sent`);
}

/** A computer that accepts the operation, or the reason why not, also if it only has to be started. */
type CapturedComputer = { target?: Target; skipped?: SkippedTarget; startable?: Target };

type Captured = { account: AskedAccount; computers: readonly CapturedComputer[] };

/** Returns the accounts in which a computer can be created. The chosen one, which a person can change, comes first. */
function accountsForCreate(
	accounts: readonly AskedAccount[],
	chosen: string | undefined,
): readonly Captured[] {
	const isChosen = ({ profile }: AskedAccount) => profile.account === chosen;
	return accounts
		.filter(({ profile }) => !profile.isReadOnly)
		.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
		.map(account => ({ account, computers: [] }));
}

function captureIn(
	account: AskedAccount,
	operation: OperationId,
	globalIds: readonly GlobalId[],
	details: OperationDetails,
	now: number,
): Captured {
	const { account: key, name: accountName, isReadOnly } = account.profile;
	const { ownCommand, changes } = operationRowOf(operation);
	const state = account.state();
	const ageOf = createRowAge(state, now);

	function capture(id: string): CapturedComputer {
		const computer = state.computers.get(id);
		const name = computer?.reading.name || id;
		const skip = (reason: string, isSo?: boolean) => ({ account: key, id, name, reason, isSo });
		if (isReadOnly && changes) return { skipped: skip(`${accountName} is read-only`) };
		if (!computer) return { skipped: skip(goneText) };
		const target = targetFrom(key, state, computer, ageOf(computer) === 'old', now);
		const obstacle = obstacleTo(state, operation, computer, details);
		const busy = whyBusy(state, operation, id, now);
		const reason = obstacle?.reason ?? busy;
		if (reason !== undefined) {
			const started = { ...computer, phase: 'active' } as const;
			const mayStart =
				computer.phase === 'stopped' &&
				busy === undefined &&
				obstacleTo(state, operation, started, {}) === undefined;
			const startable = mayStart ? { ...target, startsFirst: true } : undefined;
			return { skipped: skip(reason, obstacle?.isSo), startable };
		}
		if (!ownCommand) return { target };
		const run = commandLineOf(ownCommand, commandValuesOf(account, computer));
		if ('problem' in run) return { skipped: skip(run.problem) };
		return { target: { ...target, commandLine: run.commandLine } };
	}

	return { account, computers: [...new Set(idsWithin(key, globalIds))].map(capture) };
}

function targetFrom(
	account: string,
	state: AccountState,
	computer: ComputerState,
	isOld: boolean,
	now: number,
): Target {
	const { id, phase, reading } = computer;
	const isError = phase === 'error';
	// If the data is old, the computer has been running for at least as long as at the time of the last read.
	const readAt = statusAnswerOf(state, computer)?.at ?? now;
	const uptime = uptimeOf(computer, Math.min(now, readAt));
	return {
		account,
		id,
		name: computerName(computer),
		phase,
		version: reading.version,
		uptime: uptime && { ...uptime, isLowerBound: uptime.isLowerBound || isOld },
		ports: allPortsOf(reading)?.map(({ port }) => port),
		error: isError ? reading.error : undefined,
		storage: reading.storage ?? undefined,
		neverRan: (isError && !reading.version && typeof reading.startedAt !== 'number') || undefined,
	};
}

type TargetChange = Pick<Target, 'account' | 'id' | 'name'> & { description: string };

/** The question shows how its targets have changed but keeps them, so that the person decides. */
export function targetChangesIn(
	{ targets, operation }: Pick<Question, 'targets' | 'operation'>,
	stateOf: (account: string) => Pick<AccountState, 'computers' | 'operations'> | undefined,
): readonly TargetChange[] {
	return targets.flatMap(target => {
		const { account, id, name } = target;
		const state = stateOf(account);
		const computer = state?.computers.get(id);
		if (!state || !computer) return [{ account, id, name, description: 'is gone' }];
		const { phase, reading, isMissing } = computer;
		const other = whatOthersDo(state, operation, id);
		const nameNow = computerName(computer);
		// A version that was unknown before does not count as changed.
		const hasOtherVersion =
			Boolean(target.version && reading.version) && target.version !== reading.version;
		const changes = [
			...(other === undefined ? [] : [`is busy: ${other}`]),
			...(isMissing ? ['is no longer known to the platform'] : []),
			...(phase === target.phase ? [] : [`is ${phase} now`]),
			...(nameNow === name ? [] : [`is called ${nameNow} now`]),
			...(hasOtherVersion ? [`runs version ${reading.version} now`] : []),
		];
		return changes.length > 0 ? [{ account, id, name, description: changes.join(', ') }] : [];
	});
}

export const idsOfTargets = ({ targets }: Pick<Question, 'targets'>): readonly GlobalId[] =>
	targets.map(({ account, id }) => globalIdOf(account, id));
