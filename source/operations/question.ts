import { allPortsOf, computerName, uniqueNamesOf } from '../fleet/computers/computer.ts';
import { type GlobalId, idsWithin } from '../fleet/computers/global-id.ts';
import { uptimeOf } from '../fleet/computers/uptime.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import {
	type CommandValues,
	type OperationDetails,
	strictnessOf,
	type Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { countText } from '../foundation/number-text.ts';
import { lastPublicationOf } from '../store/change-log.ts';
import { createOldTest, statusAnswerOf } from '../store/freshness.ts';
import { nameWithAccount } from '../store/selectors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { commandLineOf } from './own-commands.ts';
import {
	type AskedAccount,
	consequenceLines,
	isAnswered,
	type Question,
	type QuestionPart,
	wordingOf,
} from './question-wording.ts';
import {
	estimateSendingTime,
	goneText,
	obstacleTo,
	type Refused,
	readOnlyText,
	refusedBecause,
	type SkippedTarget,
	whatOthersDo,
	whyBusy,
} from './why-not.ts';

export const maxTargets = 500;

export type AskOptions = OperationDetails & {
	openingKey?: string;
	account?: string;
	/** Although a setting has switched it off, because a person may not have seen the target. */
	asksAnyway?: boolean;
	starting?: Question['starting'];
};

export type BegunOperations = {
	type: 'begun';
	operations: readonly { account: string; spec: OperationSpec }[];
	ids: readonly GlobalId[];
};

export type AnswerResult = BegunOperations | Refused;

export type AskResult = { type: 'question'; question: Question } | AnswerResult;

/** Nothing reads the selection again afterwards. */
export function captureQuestion(
	id: string,
	operation: OperationId,
	ids: readonly GlobalId[],
	all: readonly AskedAccount[],
	now: number,
	{ port, name, provider, openingKey, account: chosen, asksAnyway, starting }: AskOptions = {},
): Question | Refused {
	const row = operationRowOf(operation);
	const isCreate = row.subject === 'account';
	if (row.ownCommand?.on === 'one' && ids.length > 1) {
		const why = `${row.label} runs on one computer at a time, and ${ids.length} are marked. Esc unmarks them`;
		return refusedBecause('not-allowed', why);
	}
	const captured = isCreate ? [] : all.map(account => capture(account, operation, ids, port, now));
	const isOffered =
		starting !== undefined && captured.some(({ startable }) => startable.length > 0);
	// If all are stopped, nothing else can be asked for.
	const isChosen =
		isOffered && (starting === 'chosen' || captured.every(({ targets }) => targets.length === 0));
	const parts: readonly QuestionPart[] = isCreate
		? accountsForCreate(all, chosen)
		: captured
				.map(({ account, targets, startable }) => {
					return { account, targets: isChosen ? [...targets, ...startable] : targets };
				})
				.filter(({ targets }) => targets.length > 0);
	const targets = parts.flatMap(part => part.targets);
	const skipped = captured
		.flatMap(({ account: { profile }, skipped: own }) => {
			if (all.length === 1) return own;
			return own.map(each => ({ ...each, name: nameWithAccount(profile.name, each.name) }));
		})
		.filter(
			each => !targets.some(target => target.account === each.account && target.id === each.id),
		);
	if (parts.length === 0) {
		if (isCreate) return refusedBecause('read-only', readOnlyText);
		const why =
			skipped.length > 0 ? 'No computer accepts the operation' : 'No computer is selected';
		return refusedBecause('not-allowed', why, skipped, { operation, port });
	}
	if (targets.length > maxTargets) {
		const why = `At most ${maxTargets} computers at a time, and these are ${countText(targets.length)}: narrow the filter or mark fewer`;
		return refusedBecause('too-many', why);
	}
	const settings = parts.map(({ account: { profile, questionStrictness } }) => {
		return { setting: questionStrictness?.[operation], isProduction: profile.isProduction };
	});
	const strictness = strictnessOf(row, targets.length, settings);
	const [only] = targets.length === 1 ? targets : [];
	// Unpublish can only mean this port.
	const onlyPort =
		only?.ports?.length === 1 && row.goal.reaches === 'unpublished' ? only.ports[0] : undefined;
	const captive = {
		id,
		operation,
		targets,
		skipped,
		details: { port: port ?? onlyPort, name, provider },
		accounts: parts.map(part => {
			const { profile, state, commandOptions = [] } = part.account;
			const { release, computers } = state();
			const version = row.needsLatestVersion ? release?.version : undefined;
			const uniqueNames = uniqueNamesOf(computers);
			const consequences = consequenceLines(operation, [part], now);
			return { profile, version, uniqueNames, commandOptions, consequences };
		}),
		namesAccount: all.length > 1,
		starting: isChosen ? ('chosen' as const) : isOffered ? ('offered' as const) : undefined,
		openingKey,
		openedAt: now,
		strictness: strictness === 'off' && asksAnyway && row.changes ? ('ask' as const) : strictness,
		sendingTimeMs: Math.max(
			...parts.map(({ account, targets: { length } }) =>
				estimateSendingTime(Math.max(1, length), row.scope, account.state().standings, now),
			),
		),
		answers: [],
	};
	return { ...captive, ...wordingOf(captive, parts) };
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

/** The chosen one, which a person can change, comes first. */
function accountsForCreate(accounts: readonly AskedAccount[], chosen: string | undefined) {
	const isChosen = ({ profile }: AskedAccount) => profile.account === chosen;
	return accounts
		.filter(({ profile }) => !profile.isReadOnly)
		.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
		.map(account => ({ account, targets: [] }));
}

/** Those that only have to be started are skipped as well. */
function capture(
	account: AskedAccount,
	operation: OperationId,
	globalIds: readonly GlobalId[],
	port: number | undefined,
	now: number,
) {
	const { account: key, name: accountName, isReadOnly } = account.profile;
	const { ownCommand, changes } = operationRowOf(operation);
	const refusal = isReadOnly && changes ? `${accountName} is read-only` : undefined;
	const state = account.state();
	const isOld = createOldTest(state, now);
	const targets: Target[] = [];
	const startable: Target[] = [];
	const skipped: SkippedTarget[] = [];
	for (const id of new Set(idsWithin(key, globalIds))) {
		const computer = state.computers.get(id);
		const obstacle = obstacleTo(state, operation, computer, { port });
		const busy = refusal ?? whyBusy(state, operation, id, now);
		const commandValues = computer && ownCommand && commandValuesOf(account, computer);
		const run = commandValues && commandLineOf(ownCommand, commandValues);
		const problem = run && 'problem' in run ? run.problem : undefined;
		const reason = refusal ?? obstacle?.reason ?? busy ?? problem;
		const target = computer && targetFrom(key, state, computer, isOld(computer), now);
		if (target && reason === undefined) {
			targets.push({ ...target, commandValues });
			continue;
		}
		const name = computer?.reading.name || id;
		skipped.push({ account: key, id, name, reason: reason ?? goneText, isSo: obstacle?.isSo });
		const isStartable =
			computer?.phase === 'stopped' &&
			busy === undefined &&
			obstacleTo(state, operation, { ...computer, phase: 'active' }, {}) === undefined;
		if (target && isStartable) startable.push({ ...target, startsFirst: true });
	}
	return { account, targets, startable, skipped };
}

function commandValuesOf(
	{ profile, platform, state, sshOptions }: AskedAccount,
	{ id, reading }: ComputerState,
): CommandValues {
	const ports = reading.ports ?? [];
	const latest = lastPublicationOf(state(), id)?.wish.port;
	const port = ports.find(each => each.port === latest) ?? ports[0];
	return {
		id,
		name: reading.name || id,
		account: profile.name,
		address: reading.address ?? '',
		url: port ? (port.url ?? platform.publicAddress(id, port.port)) : '',
		sshOptions,
	};
}

function targetFrom(
	account: string,
	state: AccountState,
	computer: ComputerState,
	isOld: boolean,
	now: number,
): Target {
	const { id, phase, reading } = computer;
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
		error: phase === 'error' ? reading.error : undefined,
		storage: reading.storage ?? undefined,
	};
}

type TargetChange = Pick<Target, 'account' | 'id' | 'name'> & { description: string };

/** The targets are kept, and the person decides. */
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
