import { accountEventNames, type Change } from '../fleet/change.ts';
import type { Model } from '../fleet/computers/account.ts';
import {
	isNotRead,
	omittedPortCount,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { isBehind } from '../fleet/filters/order.ts';
import { operationIdsText } from '../fleet/operations/operation-table.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { changeText } from '../views/log.ts';
import type { Scene } from '../views/scene.ts';
import { countVersions } from '../views/versions.ts';
import { isoTime, type JsonFields, type JsonRecord, jsonRecord, withAccount } from './command.ts';
import type { Fleet } from './fleet.ts';

export const changeFields = {
	at: 'time when crowsnest saw the change',
	notBefore: 'time of the last read before the change',
	event:
		'status, appeared, removed, stage, operation, credits, version, hook (which failed), ' +
		`${accountEventNames.join(', ')}; only watch prints stage`,
	id: 'id of the computer',
	name: 'name of the computer',
	from: 'earlier status, stage, balance or version',
	to: 'new status, stage, balance or version; of an operation: sent, accepted, settled, failed, unknown or cancelled',
	reason: 'why the computer stopped: asked (by an operation), asleep, credits (used up) or unknown',
	error: 'reason of the error that began, if the platform gave one; why an account is down',
	operation: operationIdsText(),
	who: 'account that was signed in when the operation was requested',
	pane: 'id of the crowsnest process that asked for the operation; null for everything else',
	message: 'the change as a line of text',
} as const satisfies JsonFields;

export type ChangeRecord = JsonRecord<typeof changeFields>;

export function changeRecord(change: Change): ChangeRecord {
	return jsonRecord(changeFields, {
		at: isoTime(change.at),
		notBefore: isoTime('notBefore' in change ? change.notBefore : change.at),
		...fieldsOf(change),
		message: changeText(change),
	});
}

function fieldsOf(change: Change): Partial<ChangeRecord> {
	switch (change.type) {
		case 'statusChanged': {
			const { id, name, from, to, reason, error } = change;
			const event = from === null ? 'appeared' : to === null ? 'removed' : 'status';
			return { event, id, name, from, to, reason, error };
		}
		case 'operationMoved': {
			const { wish, who, pane } = change;
			const { operation, computer: id, name } = wish;
			const to = change.isAccepted ? 'accepted' : change.to;
			return { event: 'operation', id, name, to, operation, who, pane };
		}
		case 'toppedUp':
			return { event: 'credits', from: change.from, to: change.to };
		case 'released':
			return { event: 'version', from: change.from, to: change.to };
		case 'accountNoted':
			return { event: change.event, error: change.message };
		case 'hookFailed':
			return { event: 'hook' };
	}
}

const jsonOf = (...fields: readonly ReadingField[]) =>
	Object.fromEntries(
		fields.flatMap(field => {
			const { json } = readingRows[field];
			return json === undefined ? [] : [[field, json]];
		}),
	);

export const computerFields: JsonFields = {
	id: 'permanent id',
	...jsonOf('name', 'status'),
	phase:
		'meaning of the status: creating, active, stopped, error, stopping, starting, restarting, ' +
		'updating, archived, pooled or unknown',
	...jsonOf('version', 'address', 'cpu', 'memory', 'storage', 'startedAt', 'createdAt', 'ports'),
	portCount: 'number of published ports, which may be more than ports contains',
	...jsonOf('error', 'stage', 'stageProgress', ...readingFields),
	notRead: 'fields above that are null because nobody has read them yet, such as version or error',
};

/** The fleet of a command, or an account of the monitor. */
type RecordedFleet = Pick<Fleet, 'label'> & {
	accountNow: () => Pick<AccountState, 'listFields'>;
	session: { platform: Pick<Fleet['session']['platform'], 'publicAddress'> };
};

export function computerRecord(
	computer: ComputerState,
	{ accountNow, session, label }: RecordedFleet,
): Partial<Record<'account', string>> & JsonRecord<typeof computerFields> {
	const { id, reading, phase } = computer;
	const { ports } = reading;
	const unread: readonly string[] = readingFields.filter(field =>
		isNotRead(field, computer, accountNow().listFields),
	);
	const values: Readonly<Record<string, unknown>> = {
		...reading,
		phase,
		...timesIn(reading),
		ports: ports?.map(({ port, url }) => ({
			port,
			url: url ?? session.platform.publicAddress(id, port),
		})),
		portCount: ports ? ports.length + omittedPortCount(reading) : null,
		notRead: Object.keys(computerFields).filter(name => unread.includes(name)),
	};
	return withAccount(jsonRecord(computerFields, values), label);
}

const timesIn = (reading: Reading) =>
	Object.fromEntries(
		readingFields
			.filter(field => readingRows[field].kind === 'time')
			.map(field => [field, isoTime(reading[field] as number | null | undefined)]),
	);

export const modelFields = {
	id: 'id of the model',
	owner: 'company that made it',
	contextWindow: 'tokens that fit into its context',
	inputPrice: 'price per million input tokens',
	outputPrice: 'price per million output tokens',
} as const satisfies JsonFields;

export const modelRecord = (model: Model) => jsonRecord(modelFields, model);

export const versionsFields = {
	latest: 'newest released version',
	channel: 'release channel',
	releasedAt: 'time of its release',
	title: 'title of its notes',
	description: 'text of its notes',
	changes: 'changes in its notes, each with type and text',
	running:
		'versions in use, each with version, count and isBehind; version is null if a computer reports none',
	behind: 'number of computers that are known to run an older version',
	notRead: 'number of computers whose version is not read yet; they are not in running',
} as const satisfies JsonFields;

export function versionsRecord({ account: { release }, accounts }: Scene) {
	const counts = countVersions(accounts);
	const running = counts.flatMap(({ version, names }) =>
		version === undefined
			? []
			: [{ version, count: names.length, isBehind: isBehind(version, release?.version) }],
	);
	return jsonRecord(versionsFields, {
		...release,
		latest: release?.version,
		releasedAt: isoTime(release?.releasedAt),
		changes: release?.changes ?? [],
		running,
		behind: running.reduce((sum, { count, isBehind }) => sum + (isBehind ? count : 0), 0),
		notRead: counts.find(({ version }) => version === undefined)?.names.length ?? 0,
	});
}
