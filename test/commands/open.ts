import { shapesFromText } from '../../source/simulator/simulator.ts';
import { changesOf, createTestHost, type HeldSimulator, startSimulator } from '../cli/host.ts';
import { environmentOf, profileTable } from '../driver/account.ts';
import { fetchAt } from '../driver/scene.ts';
import { createHeldClock } from '../held-clock.ts';

type World = Omit<NonNullable<Parameters<typeof startSimulator>[0]>, 'shapes'> & {
	shapes?: string;
	/** The platform is reached at its real address, as a development server is. */
	isOnLoopback?: boolean;
};

/** Commands that run one after another on the same computer, and the platform that they find. */
export type Transcript = {
	name: string;
	/** The platform of the account in the environment; null if no account is configured. */
	world?: World | null;
	/** The platforms of the profiles in the configuration, in place of an account in the environment. */
	profiles?: Readonly<Record<string, World & { lines?: readonly string[] }>>;
	/** Further lines at the top of the configuration. */
	config?: readonly string[];
	env?: Readonly<Record<string, string>>;
	/** The width of the terminal; without it, the output is a pipe. */
	columns?: number;
	/**
	 * Command lines with semicolons between them, and what happens in the meantime: `~6s` passes time, and
	 * `fault=list:503` changes the platform; `requests` prints what reached the platforms so far, without sign-ins.
	 * An answer that a person types follows its command after `<`; `^C` and `^D` are keys.
	 */
	steps: string;
};

const controls: Readonly<Record<string, string>> = { '^C': '\u0003', '^D': '\u0004' };

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Runs the commands and returns what each printed. */
export async function transcriptOf(transcript: Transcript): Promise<string> {
	const clock = createHeldClock();
	const { world = {}, profiles, config = [], env = {}, columns, steps } = transcript;
	const worlds = profiles ?? (world ? { cloud: world } : {});
	const simulators = new Map<string, HeldSimulator>();
	for (const [name, { shapes, isOnLoopback: _, ...options }] of Object.entries(worlds)) {
		const shaped = shapes ? { shapes: shapesFromText(shapes) } : {};
		simulators.set(name, await startSimulator({ computers: 7, ...options, ...shaped, clock }));
	}
	const cloud = simulators.get('cloud');
	const host = createTestHost({
		clock,
		isTerminal: columns !== undefined,
		columns: columns ?? 80,
		send(address, request) {
			const name = /^https:\/\/(\w+)\.example/.exec(address)?.[1];
			if (name === undefined) return fetch(address, request);
			const simulator = simulators.get(name);
			if (!simulator) throw new Error(`no platform at ${address}`);
			return fetchAt(`https://${name}.example`, simulator.authUrl)(address, request);
		},
		env: { ...(cloud && !profiles && accountOf(cloud, world?.isOnLoopback)), ...env },
	});
	const tables = [...(profiles ? simulators : [])].map(([name, simulator]) => {
		const origin = `https://${name}.example`;
		const seen = { ...simulator, baseUrl: `${origin}/v1`, authUrl: origin };
		const password = `passwordCommand = ["echo", "${simulator.password}"]`;
		return [profileTable(name, seen) + password, ...(profiles?.[name]?.lines ?? [])].join('\n');
	});
	const contents = [...config, ...tables];
	if (contents.length > 0) host.configure(`${contents.join('\n')}\n`);
	let text = '';
	for (const step of steps.trim().split(/;\s*/)) {
		const [, number, unit = ''] = /^~(\d+)(ms|s|m|h)$/.exec(step) ?? [];
		if (number !== undefined) clock.move(Number(number) * (units[unit] ?? 0));
		else if (/^\w+=/.test(step)) change(simulators, step);
		else if (step === 'requests') text += requestsTo(simulators);
		else text += await printed(host, step);
	}
	return text
		.replaceAll(host.folder, '/home/you')
		.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4010')
		.replaceAll(process.version, 'v20.19.0')
		.replace(/("pane": )"[^"]+"/g, '$1"7c1e90ab"')
		.trimEnd();
}

function accountOf(simulator: HeldSimulator, isOnLoopback = false): Record<string, string> {
	const origin = isOnLoopback ? simulator.authUrl : 'https://cloud.example';
	const addresses = { CROWSNEST_URL: `${origin}/v1`, CROWSNEST_AUTH_URL: origin };
	return { ...environmentOf(simulator), ...addresses };
}

/** `fault=list:503`, or `fault=lab/list:503` for the platform of a profile. */
function change(simulators: ReadonlyMap<string, HeldSimulator>, step: string) {
	const [, name = '', profile = 'cloud', value = ''] = /^(\w+)=(?:(\w+)\/)?(.*)$/.exec(step) ?? [];
	const simulator = simulators.get(profile);
	if (!simulator) throw new Error(`no platform for the step ${step}`);
	if (name === 'fault') {
		const [target, kind] = value.split(':') as [never, never];
		simulator.setFaults(value === 'none' ? [] : [{ target, kind }]);
	} else if (name === 'fail') simulator.world.fail(value);
	else if (name === 'add') simulator.world.add({ name: value });
	else throw new Error(`nothing happens at the step ${step}`);
}

function requestsTo(simulators: ReadonlyMap<string, HeldSimulator>): string {
	const lines = [...simulators].flatMap(([name, simulator]) => {
		if (simulator.requests.length === 0) return `${name}: none, and no sign-in`;
		const reads = simulator.requests.filter(
			({ method, scope }) => method === 'GET' && scope !== 'auth',
		);
		return [
			`${name} reads: ${reads.length}`,
			...changesOf(simulator).map(each => `${name} ${each}`),
		];
	});
	return `--- requests so far\n${lines.join('\n')}\n\n`;
}

async function printed(host: ReturnType<typeof createTestHost>, step: string): Promise<string> {
	const [line = '', ...answers] = step.split(' < ');
	const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
		([, quoted, plain]) => quoted ?? plain ?? '',
	);
	let isOver = false;
	const running = host.ran(...words).finally(() => {
		isOver = true;
	});
	for (const typed of answers) {
		await host.until(() => isOver || /( y \/ n |: )(\u001b\[\d+G)?$/.test(host.output()));
		if (!isOver) host.stdin.write(controls[typed] ?? `${typed}\n`);
	}
	const { code, out, err } = await running;
	if (host.isRaw()) throw new Error(`the terminal is still raw after ${step}`);
	return `$ crowsnest ${step}\n${block('', out)}${block('--- stderr\n', err)}--- exit ${code}\n\n`;
}

function block(title: string, written: string): string {
	if (written === '') return '';
	const text = written.split('\n').map(leftOf).join('\n');
	return `${title}${text === '' || text.endsWith('\n') ? text : `${text}⏎\n`}`;
}

/** Returns what is left on the screen of a line that was written over several times. */
function leftOf(line: string): string {
	const last =
		line
			.replace(/\r$/, '')
			.split(/\r|\u001b\[1G/)
			.at(-1) ?? '';
	return last.replace(/\u001b\[(\d*[JKG])/g, '');
}
