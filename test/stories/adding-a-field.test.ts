import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { buildReplacements } from '../../replacements/plugins.js';
import type * as Host from '../cli/host.ts';

// A field that only this test knows: the region of a computer. These are all changes that it takes. A screen has its
// column and its order, a filter finds it, and the details and `--json` say it.

const root = join(import.meta.dirname, '../..');

const row = `
	region: {
		kind: 'label',
		names: { metadata: ['region'] },
		json: 'region of its location',
		label: 'Region',
		column: { title: 'REGION', description: 'region', growth: { 13: 8 } },
		filter: {
			meaning: 'The region of the location.',
			hasFewValues: true,
			isSearched: 'inMonitor',
			order: { key: 'e', label: 'region' },
		},
	},
`;

const location = "location: pickItem(['eu-north', 'eu-west', 'us-east', 'ap-south'], place),";

/** The changes of each file: what is written before a text that it has. */
const changes: Readonly<Record<string, readonly (readonly [text: string, added: string])[]>> = {
	'fleet/computers/computer.ts': [
		['} as const satisfies Readonly<Record<string, ReadingRow>>;', row],
	],
	'simulator/world/computer.ts': [['readonly location: string;', 'readonly region: string;']],
	'simulator/world/world.ts': [[location, "region: place < 0.5 ? 'europe' : 'elsewhere',"]],
	'simulator/endpoints/routes-computers.ts': [
		["provider: 'opensandbox',", 'region: computer.region,'],
		['publicIp: address,', 'region: reading.region,'],
	],
};

const changed: Plugin = {
	name: 'changed',
	setup({ onLoad }) {
		onLoad({ filter: /\/source\/.*\.ts$/ }, ({ path }) => {
			const [, name = ''] = path.split('/source/');
			let contents = readFileSync(path, 'utf8');
			for (const [text, added] of changes[name] ?? []) {
				expect(contents).toContain(text);
				contents = contents.replace(text, `${added}\n${text}`);
			}
			return { contents, loader: 'ts' };
		});
		// The bundle has all files already.
		onLoad({ filter: /lazy-modules\.ts$/ }, () => ({
			contents: 'export const loadLazyModules = () => undefined;',
		}));
	},
};

async function changedHost(): Promise<typeof Host> {
	const outfile = join(root, 'node_modules/.source-module/added-field.mjs');
	await build({
		entryPoints: [join(root, 'test/cli/host.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		packages: 'external',
		plugins: [changed, buildReplacements()],
		define: { 'process.env.NODE_ENV': '"production"' },
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});
	return import(outfile);
}

test('a field takes a row in the table and a value in the simulator: then it has a column, an order, a filter, a line in the details and a field in JSON', async () => {
	expect(Object.keys(changes).length).toBeLessThanOrEqual(4);
	const { createOperateHost, startSimulator } = await changedHost();
	const host = createOperateHost(await startSimulator({ computers: 7 }));
	const list = await host.run('list', '--columns', 'name,region', '--sort', 'region:desc');
	expect(list.out.match(/\S+/g)?.slice(0, 6)).toEqual([
		'NAME',
		'REGION',
		...['atlas', 'europe', 'draco', 'europe'],
	]);
	const found = await host.run('list', '--filter', 'region:euro -region:else', '--json');
	const records: readonly Record<string, unknown>[] = JSON.parse(found.out);
	expect(records.map(({ name, region }) => `${name} ${region}`)).toEqual([
		'atlas europe',
		'draco europe',
		'eridanus europe',
		'fornax europe',
	]);
	expect((await host.run('show', 'borealis')).out).toMatch(/^Region +elsewhere$/m);
	expect((await host.run('list', '--filter', 'regio:x')).err).toContain('Did you mean region?');
	const { out: help } = await host.run('list', '--help');
	expect(help.replace(/\s+/g, ' ')).toMatch(/location, region, seen/);
});
