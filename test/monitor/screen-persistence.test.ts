import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
	createScreenKeeper,
	droppedFilterText,
	welcomeFrom,
} from '../../source/monitor/screen-persistence.ts';
import { initialMapLook } from '../../source/screen/map-look.ts';

function folder() {
	const path = mkdtempSync(join(tmpdir(), 'crowsnest-screen-'));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

const screen = {
	filter: 'status:active',
	ordering: { by: 'cpu', isReversed: true } as const,
	columns: ['name', 'cpu', 'of a newer version'],
};

test('the next start restores the order, the filter and the columns, but not the view and the marks', () => {
	const keeper = createScreenKeeper(folder(), 'mine');
	expect(keeper.restore()).toEqual({});
	keeper.save(screen);
	const { filter, ordering, columns } = screen;
	expect(keeper.restore()).toEqual({ filter, ordering, columns });
	keeper.save({ ...screen, columns: undefined });
	expect(keeper.restore()).toEqual({ filter, ordering });
});

test('a view that an earlier version saved is ignored, because a new pane opens on the fleet', () => {
	const path = folder();
	const keeper = createScreenKeeper(path, 'mine');
	keeper.save(screen);
	const [name = ''] = readdirSync(path);
	writeFileSync(join(path, name), '{"version":1,"view":"output","filter":"atlas"}');
	expect(keeper.restore()).toEqual({ filter: 'atlas' });
});

test('the next start opens the map with the grouping and the colours that were chosen', () => {
	const keeper = createScreenKeeper(folder(), 'mine');
	const map = { isOpen: true, grouping: 'version', colouring: 'location' } as const;
	keeper.save({ ...screen, map });
	expect(keeper.restore().map).toEqual(map);
});

test('a saved map with values of another version opens with the default ones', () => {
	const path = folder();
	const keeper = createScreenKeeper(path, 'mine');
	keeper.save(screen);
	const [name = ''] = readdirSync(path);
	writeFileSync(join(path, name), '{"version":1,"map":{"isOpen":1,"grouping":"mood"}}');
	expect(keeper.restore().map).toEqual(initialMapLook);
});

test('a restored filter is one line of plain text for any content of the file', () => {
	const keeper = createScreenKeeper(folder(), 'mine');
	keeper.save({ ...screen, filter: '\u001b[31mstatus:active\u001b[0m\nname:atlas' });
	expect(keeper.restore()).toMatchObject({ filter: 'status:active' });
});

test('each account has a saved screen of its own', () => {
	const path = folder();
	createScreenKeeper(path, 'mine').save(screen);
	expect(createScreenKeeper(path, 'another').restore()).toEqual({});
});

test.each([
	'',
	'null',
	'[]',
	'{',
	'{"filter":7,"ordering":{"by":"colour"},"view":"nowhere","columns":["name",7]}',
])('the monitor opens although the file with the saved screen contains %j', text => {
	const path = folder();
	const keeper = createScreenKeeper(path, 'mine');
	keeper.save(screen);
	writeFileSync(join(path, readdirSync(path)[0] ?? ''), text);
	expect(keeper.restore()).toEqual({});
});

test('the monitor opens although the saved screen cannot be written', () => {
	const path = folder();
	writeFileSync(join(path, 'file'), '');
	chmodSync(path, 0o700);
	expect(() => createScreenKeeper(join(path, 'file'), 'mine').save(screen)).not.toThrow();
});

test('the screen is not saved in a folder that others can use', () => {
	const path = folder();
	chmodSync(path, 0o755);
	createScreenKeeper(path, 'mine').save(screen);
	expect(readdirSync(path)).toEqual([]);
	chmodSync(path, 0o700);
	createScreenKeeper(path, 'mine').save(screen);
	expect(readdirSync(path)).toHaveLength(1);
});

test('a saved filter that is not valid any more is dropped, and the rest of the screen is restored', () => {
	const keeper = createScreenKeeper(folder(), 'mine');
	keeper.save({ ...screen, filter: 'statu:active atlas' });
	const { ordering, columns } = screen;
	const droppedFilter = 'statu:active atlas';
	expect(keeper.restore()).toEqual({ droppedFilter, ordering, columns });
	expect(droppedFilterText('statu:active atlas')).toMatch(
		/^Dropped the saved filter “statu:active atlas”: ./,
	);
});

test('the welcome screen is shown at the first start and never again', () => {
	const path = folder();
	expect(welcomeFrom(path).isDue).toBe(true);
	welcomeFrom(path).markShown();
	expect(welcomeFrom(path).isDue).toBe(false);
});
