import { describe, expect, test } from 'vitest';
import { computerFilter, type FieldName, fields } from '../../../source/fleet/computers/field.ts';
import { filterWordsIn, isTerm, termFrom } from '../../../source/fleet/filters/filter.ts';
import { matchedPlaces } from '../../../source/fleet/filters/matched-places.ts';

const matched = (
	filter: string,
	field: FieldName,
	text: string,
	...values: readonly (string | number)[]
) =>
	matchedPlaces(
		filterWordsIn(filter)
			.map(word => termFrom(word, computerFilter))
			.filter(isTerm),
		{ text, field: fields[field], values: values.length > 0 ? values : [text] },
	).map(({ from, to }) => text.slice(from, to));

describe('the parts of a cell that a filter matched', () => {
	test('are all places of a word, in upper or lower case', () => {
		expect(matched('WEB', 'name', 'web-1-web')).toEqual(['web', 'web']);
		expect(matched('a.', 'name', 'ab a.')).toEqual(['a.']);
	});

	test('are joined where words overlap', () => {
		expect(matched('atl tlas', 'name', 'atlas')).toEqual(['atl', 'as']);
	});

	test('are none in a field that another term names, or that words do not search', () => {
		expect(matched('status:error', 'name', 'error-1')).toEqual([]);
		expect(matched('80', 'port', '8080', 8080)).toEqual([]);
	});

	test('are none in a text that does not show the value itself', () => {
		expect(matched('restart', 'stage', 'restarted 2 m ago', 'ready')).toEqual([]);
	});

	test('are those of a stage, typed as the platform writes it or as the screen shows it', () => {
		for (const typed of ['loading_i', 'stage:loading_i', '"loading i"', 'stage:"loading i"'])
			expect(matched(typed, 'stage', 'loading image 24%', 'loading_image')).toEqual(['loading i']);
	});

	test('are the typed letters of a status without its sign', () => {
		expect(matched('status:err', 'status', '✖ Error', 'error')).toEqual(['Err']);
		expect(matched('o', 'status', 'o Active', 'active', 'operational')).toEqual(['Active']);
		expect(matched('status:running', 'status', '● Active', 'active', 'running')).toEqual([
			'Active',
		]);
	});

	test('are the whole value after a comparison or in a range', () => {
		expect(matched('cpu:>80', 'cpu', '▲82%', 82)).toEqual(['82%']);
		expect(matched('memory:20..60', 'memory', '41%', 41)).toEqual(['41%']);
		expect(matched('version:<1.4', 'version', '1.3.9 ↑', '1.3.9')).toEqual(['1.3.9']);
		expect(matched('cpu:>80', 'cpu', '12%', 12)).toEqual([]);
	});

	test('are the typed segments of a version, and only whole ports', () => {
		expect(matched('version:1.4', 'version', '1.4.2 ↑', '1.4.2')).toEqual(['1.4']);
		expect(matched('port:80', 'port', '8080 80', 8080, 80)).toEqual(['80']);
		expect(matched('port:81', 'port', '8080 +1', 8080, 81)).toEqual([]);
	});
});
