import type { Change } from '../fleet/change.ts';
import type { changeFields, RecordOf } from '../shell/json-fields.ts';
import { whatChanged } from '../wording/log-text.ts';
import { isoTime } from './computer-record.ts';

export type ChangeRecord = RecordOf<typeof changeFields>;

// In the order of the table.
export const emptyChange = {
	event: '',
	id: null,
	name: null,
	from: null,
	to: null,
	reason: null,
	operation: null,
	who: null,
	read: null,
};

/** A line of the log for other programs. */
export function changeRecord(change: Change): ChangeRecord {
	const { at } = change;
	const message = changeText(change);
	const times = {
		at: isoTime(at),
		notBefore: isoTime('notBefore' in change ? change.notBefore : at),
	};
	return { ...times, ...emptyChange, ...changeFieldsOf(change), message };
}

type ChangeFields = Partial<ChangeRecord> & Pick<ChangeRecord, 'event'>;

function changeFieldsOf(change: Change): ChangeFields {
	switch (change.type) {
		case 'statusChanged': {
			const { id, name = null, from, to, reason = null } = change;
			const event = from === null ? 'appeared' : to === null ? 'removed' : 'status';
			return { event, id, name, from, to, reason };
		}
		case 'operationMoved': {
			const { wish, to, who = null } = change;
			const { operation, computer: id = null, name = null } = wish;
			return { event: 'operation', id, name, to, operation, who };
		}
		case 'toppedUp':
			return { event: 'credits', from: change.from, to: change.to };
		case 'released':
			return { event: 'version', from: change.from, to: change.to };
	}
}

function changeText(change: Change): string {
	return whatChanged(change)
		.map(([text]) => text)
		.join('');
}
