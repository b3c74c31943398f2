import type { Model, Release } from '../fleet/account.ts';
import { innerFields, numberFrom, placeOf, textFrom, timeFrom, told } from './decode.ts';
import { type Page, type Placed, pageFrom, recordIn } from './decode-envelope.ts';
import { fieldsFrom, isObject } from './fields.ts';
import { unreadable } from './platform-error.ts';

export function releaseFrom(body: unknown): Release {
	const record = recordIn(body, 'latest', 'release');
	const fields = fieldsFrom(record.value, record.place);
	const notes = innerFields(fields, 'changelog');
	const version = textFrom(fields.get('version'));
	if (!version) throw unreadable(placeOf(record.place, 'version'), 'a version');
	const changes = notes.get('changes') ?? fields.get('changes');
	return told<Release>({
		version,
		channel: textFrom(fields.get('channel')) ?? undefined,
		releasedAt: timeFrom(fields.get('date', 'releasedat', 'createdat')) ?? undefined,
		title: textFrom(fields.get('title')) ?? textFrom(notes.get('title')) ?? undefined,
		description:
			textFrom(fields.get('description')) ?? textFrom(notes.get('description')) ?? undefined,
		changes: Array.isArray(changes) ? changes.flatMap(changeFrom) : [],
	});
}

function changeFrom(value: unknown): { type: string; text: string }[] {
	if (!isObject(value)) {
		const text = textFrom(value);
		return text ? [{ type: 'change', text }] : [];
	}
	const fields = fieldsFrom(value, '');
	const text = textFrom(fields.get('text', 'description', 'title'));
	return text ? [{ type: textFrom(fields.get('type')) ?? 'change', text }] : [];
}

export function modelsPageFrom(body: unknown): Page {
	return pageFrom(body, ['models', 'items', 'results']);
}

export function modelFrom({ value, place }: Placed): Model {
	const fields = fieldsFrom(typeof value === 'string' ? { id: value } : value, place);
	const prices = innerFields(fields, 'pricing', 'prices', 'price');
	const id = textFrom(fields.get('id', 'name', 'model'));
	if (!id) throw unreadable(placeOf(place, 'id'), 'the name of a model');
	return told<Model>({
		id,
		owner: textFrom(fields.get('ownedby', 'owner', 'provider')) ?? undefined,
		contextWindow: numberFrom(fields.get('contextwindow', 'contextlength')) ?? undefined,
		inputPrice:
			numberFrom(prices.get('input', 'prompt')) ??
			numberFrom(fields.get('inputprice')) ??
			undefined,
		outputPrice:
			numberFrom(prices.get('output', 'completion')) ??
			numberFrom(fields.get('outputprice')) ??
			undefined,
	});
}
