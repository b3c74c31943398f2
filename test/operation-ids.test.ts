import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { operationIds } from '../source/fleet/operations/operation-table.ts';

// Operations differ only in the data of their rows. So only the files below may decide by the id of an operation;
// every other file looks up the row. The simulator is left out, because it has its own table.
const tableFiles = [
	'source/fleet/operations/operation-table.ts',
	'source/fleet/operations/question-lines.ts',
	'source/platform/operation-requests.ts',
];

type Node = { type: string; [field: string]: unknown };

const ids = new Set(operationIds());

const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const isId = (node: unknown) =>
	isNode(node) && node.type === 'Literal' && ids.has(String(node['value']));

/** The rate limits have a scope called `create`, which is no operation. */
const isScope = (node: unknown) =>
	isNode(node) &&
	/scope$/i.test(
		String(node['name'] ?? (isNode(node['property']) ? node['property']['name'] : '')),
	);

const keyOf = (node: unknown) =>
	isNode(node) && isNode(node['key']) ? String(node['key']['name'] ?? node['key']['value']) : '';

function membersOf(node: Node): readonly unknown[] {
	const members = node['properties'] ?? node['members'] ?? node['body'];
	return ['ObjectExpression', 'TSTypeLiteral', 'TSInterfaceBody'].includes(node.type)
		? (members as readonly unknown[])
		: [];
}

/** Returns whether a piece of code decides by the id of an operation. */
function isBranch(node: Node): boolean {
	if (node.type === 'BinaryExpression') {
		const { left, right } = node;
		return (isId(left) || isId(right)) && !isScope(left) && !isScope(right);
	}
	if (node.type === 'SwitchCase') return isId(node['test']);
	// Few such keys among others do not count: they are usually methods called `start` and `stop`.
	const members = membersOf(node);
	const keyed = members.filter(member => ids.has(keyOf(member)));
	return keyed.length > 1 && keyed.length > members.length / 2;
}

function branchesIn(value: unknown): readonly Node[] {
	if (Array.isArray(value)) return value.flatMap(branchesIn);
	if (!isNode(value)) return [];
	const inside = Object.values(value).flatMap(branchesIn);
	return isBranch(value) ? [value, ...inside] : inside;
}

const quotedId = new RegExp(`['"](?:${[...ids].join('|')})['"]`);
const idWords = new RegExp(`\\b(?:${[...ids].join('|')})\\b`, 'g');

/** Returns whether the code has a quoted id, or two ids as keys. Parsing the other files would take seconds. */
const mayBranch = (code: string) => quotedId.test(code) || new Set(code.match(idWords)).size > 1;

function branchesOf(code: string, isJsx: boolean): readonly string[] {
	if (!mayBranch(code)) return [];
	const program: unknown = parseAst(code, { lang: isJsx ? 'tsx' : 'ts' });
	return branchesIn(program).map(({ start, end }) => code.slice(Number(start), Number(end)));
}

test('only the table of operations and its requests branch on the id of an operation', () => {
	const files = readdirSync('source', { recursive: true, encoding: 'utf8' })
		.map(file => join('source', file))
		.filter(file => /\.tsx?$/.test(file) && !file.startsWith(join('source', 'simulator')))
		.filter(file => !tableFiles.includes(file));
	expect(files.length).toBeGreaterThan(200);
	const found = files.flatMap(file =>
		branchesOf(readFileSync(file, 'utf8'), file.endsWith('x')).map(code => `${file}: ${code}`),
	);
	expect(found).toEqual([]);
});

test.each([
	"if (spec.operation === 'stop') go();",
	"switch (id) { case 'publish': go(); }",
	'const limits = { start: 1, stop: 2 };',
	'type Limits = { start: 1; stop: 2 };',
])('the scan for branches on an operation id finds the code “%s”', code => {
	expect(branchesOf(code, false)).toHaveLength(1);
});

test.each([
	"if (scope === 'create') go();",
	"// if (operation === 'stop')",
	"const row = operationRowOf('stop');",
])('the scan for branches on an operation id allows the code “%s”', code => {
	expect(branchesOf(code, false)).toEqual([]);
});
