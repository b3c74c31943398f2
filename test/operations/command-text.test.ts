import { expect, test } from 'vitest';
import type { Target } from '../../source/fleet/operations/operation-row.ts';
import { shellCommandFrom } from '../../source/foundation/shell-words.ts';
import { argumentFor, commandText } from '../../source/operations/question-wording.ts';

const target = (id: string, name: string): Target => {
	return { account: 'test', id, name, phase: 'active' };
};

function commandFor(targets: readonly ReturnType<typeof target>[], maxNamed?: number) {
	const isUnique = ({ name }: Target) => targets.filter(each => each.name === name).length === 1;
	const uniqueNames = new Set(targets.filter(isUnique).map(({ name }) => name));
	const argumentOf = (each: Target) => argumentFor(each, uniqueNames);
	return commandText('stop', targets, {}, [], argumentOf, maxNamed);
}

test('the command of an operation names a computer by its id if several share its name', () => {
	const targets = [target('sb_1', 'web'), target('sb_2', 'web'), target('sb_3', 'atlas')];
	expect(commandFor(targets)).toBe('crowsnest stop sb_1 sb_2 atlas --yes');
});

test('the command of an operation names a computer by its id if its name would be an option', () => {
	expect(commandFor([target('sb_1', '--yes')])).toBe('crowsnest stop sb_1 --yes');
});

test('the command of an operation quotes every word that a shell would change', () => {
	expect(commandFor([target('sb_1', "it's $HOME; rm")])).toBe(
		"crowsnest stop 'it'\\''s $HOME; rm' --yes",
	);
	expect(shellCommandFrom(['a b', '*', '', 'a@b:c/d,e.f-g'])).toBe("'a b' '*' '' a@b:c/d,e.f-g");
});

test('the command of an operation counts the computers that it does not name', () => {
	const targets = [target('sb_1', 'atlas'), target('sb_2', 'borealis'), target('sb_3', 'cygnus')];
	expect(commandFor(targets, 1)).toBe('crowsnest stop atlas … and 2 more --yes');
});

test('the command of an operation contains its port, its details and the options of the profile', () => {
	const all = ({ name }: Target) => name;
	const atlas = [target('sb_1', 'atlas')];
	expect(commandText('publish', atlas, {}, ['--profile', 'my work'], all)).toBe(
		"crowsnest publish atlas PORT --profile 'my work' --yes",
	);
	expect(commandText('publish', atlas, { port: 8080 }, [], all)).toBe(
		'crowsnest publish atlas 8080 --yes',
	);
	expect(commandText('create', [], { name: 'nova one', provider: 'other' }, [], all)).toBe(
		"crowsnest new --name 'nova one' --provider other --yes",
	);
});
