import { accountEventNames, type Change } from '../fleet/change.ts';
import {
	isNotRead,
	omittedPortCount,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
} from '../fleet/computers/computer.ts';
import { operationIdsText } from '../fleet/operations/operation-table.ts';
import { isoTime, type JsonFields, type JsonRecord, jsonRecord } from '../foundation/json.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { changeText } from './phrases/entry.ts';
import type { AddressesOf } from './scene.ts';

export const accountField = {
	account: 'profile that the record belongs to; only with several accounts',
} as const satisfies JsonFields;

export const withAccount = <Record extends object>(
	record: Record,
	account: string | undefined,
): Record => (account === undefined ? record : { account, ...record });

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

export function computerRecord(
	computer: ComputerState,
	{ listFields }: Pick<AccountState, 'listFields'>,
	{ publicAddress }: ReturnType<AddressesOf>,
): JsonRecord<typeof computerFields> {
	const { id, reading, phase } = computer;
	const { ports } = reading;
	const unread: readonly string[] = readingFields.filter(field =>
		isNotRead(field, computer, listFields),
	);
	const values: Readonly<Record<string, unknown>> = {
		...reading,
		phase,
		...timesIn(reading),
		ports: ports?.map(({ port, url }) => ({
			port,
			url: url ?? publicAddress(id, port),
		})),
		portCount: ports ? ports.length + omittedPortCount(reading) : null,
		notRead: Object.keys(computerFields).filter(name => unread.includes(name)),
	};
	return jsonRecord(computerFields, values);
}

const timesIn = (reading: Reading) =>
	Object.fromEntries(
		readingFields
			.filter(field => readingRows[field].kind === 'time')
			.map(field => [field, isoTime(reading[field] as number | null | undefined)]),
	);
