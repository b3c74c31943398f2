// What the platform's document leaves open, in the variants that real services send; the first is the default. In an
// answer, `$name` stands for a value, and `{name other}` for a record with these fields.

// In the variant `metadata`, only the field of that name tells the version and the address.
const recordVariants = ['full', 'minimal', 'metadata'] as const;

export const shapes = {
	list: {
		data: { data: '$records' },
		bare: '$records',
		wrapped: { success: true, data: '$records' },
		sandboxes: { sandboxes: '$records' },
		items: { items: '$page', next_cursor: '$nextCursor' },
		/** The record of the only computer, or 404. */
		single: null,
		minimal: { data: '$minimalRecords' },
	},
	pageSize: ['20', '5', '100', '500'],
	/** The envelope of a computer's record, and of every other record. */
	detail: { data: { data: '$value' }, bare: '$value', wrapped: { success: true, data: '$value' } },
	envelope: {
		bare: '$value',
		data: { data: '$value' },
		wrapped: { success: true, data: '$value' },
	},
	listRecord: recordVariants,
	detailRecord: recordVariants,
	usage: {
		plain: '{ip cpu memory disk uptime}',
		suffixed: '{internal_ip cpu_percent ram storage started_at}',
		none: '{}',
	},
	ports: { objects: '{ports}', numbers: '{published_ports}', none: '{}' },
	case: ['documented', 'snake', 'camel'],
	numbers: ['numbers', 'strings'],
	create: {
		200: { data: '$created' },
		201: { success: true, data: '$created', created: true },
		202: { success: true, data: '$created', created: true, provisioning: true },
	},
	/** `record` is the answer of a detail. */
	acknowledgement: { message: { success: true, message: '$message' }, record: null, empty: null },
	status: {
		full: '{status stage stageProgress stageMessage machineInfo stages version error startedAt}',
		documented: {
			status: '$status',
			stage: '$stage',
			stageProgress: '$stageProgress',
			stageMessage: '$stageMessage',
			version: '$version',
			error: '$errorMessage',
		},
		nulls: {
			status: '$status',
			stage: null,
			stageProgress: null,
			stageMessage: null,
			machineInfo: null,
			stages: null,
			error: '$error',
			startedAt: null,
		},
		minimal: '{status}',
	},
	/** `error` is the answer to every other request for a missing computer. */
	missingStatus: {
		plain: { status: 'not_found', error: 'This computer does not exist' },
		error: null,
	},
	/** The words for the states. A state that is not listed is its own word. */
	words: {
		canonical: {},
		/** The document lists only four words, so a computer with an operation in progress has one of those. */
		documented: {
			stopping: 'active',
			starting: 'stopped',
			restarting: 'provisioning',
			updating: 'provisioning',
		},
		everyday: { active: 'running', stopped: 'paused', asleep: 'sleeping' },
		exotic: {
			provisioning: 'pooled',
			active: 'degraded',
			stopped: 'hibernated',
			error: 'quarantined',
			stopping: 'draining',
			starting: 'thawing',
			restarting: 'cycling',
			updating: 'migrating',
			archived: 'entombed',
		},
	},
	/** The stages of a creation, each with the fraction of the time at which it starts. */
	stages: {
		documented: [
			{ name: 'creating', startsAt: 0, message: 'Creating the computer' },
			{ name: 'loading_image', startsAt: 0.15, message: 'Loading the image' },
			{ name: 'ready', startsAt: 0.96, message: 'Ready' },
		],
		server: [
			{ name: 'server_creating', startsAt: 0, message: 'Creating the server' },
			{ name: 'server_created', startsAt: 0.12, message: 'The server exists' },
			{ name: 'cloud_init_running', startsAt: 0.18, message: 'Setting the server up' },
			{ name: 'cloud_init_done', startsAt: 0.38, message: 'The server is set up' },
			{ name: 'docker_pulling', startsAt: 0.42, message: 'Pulling the image' },
			{ name: 'docker_running', startsAt: 0.72, message: 'The container runs' },
			{ name: 'services_starting', startsAt: 0.78, message: 'Starting services' },
			{ name: 'services_ready', startsAt: 0.96, message: 'Services are ready' },
		],
	},
	deleted: ['gone', 'archived'],
	error: {
		documented: { error: '{message code}', status: '$status' },
		text: { success: false, error: '$message', status: '$status' },
		coded: {
			success: false,
			error: '$message',
			code: '$code',
			portal_url: '$portalUrl',
			status: '$status',
		},
		message: '{message status}',
		/** A web page, or nothing. */
		html: null,
		empty: null,
	},
	version: {
		flat: '{version channel date title sha}',
		changelog: {
			version: '$version',
			package: 'opensandbox',
			changelog: '{title description changes}',
		},
	},
	update: ['optional', 'required'],
	publish: { record: '$port', message: null },
	credits: {
		parts: { credits: '{total daily monthly extra can_run}' },
		string: { balance: '$totalText' },
		expiring: '{total expiring non_expiring daily}',
		number: { credits: '$total' },
	},
	subscription: {
		full: {
			subscription: '{tier_key tier_display_name status current_period_end cancel_at_period_end}',
		},
		plain: '{plan status}',
		null: null,
		empty: { subscription: null },
	},
	checkout: { url: '{url}', checkout_url: '{checkout_url}', session: '{session_id url}' },
	models: {
		openai: { object: 'list', data: '$models' },
		models: { models: '$models' },
		bare: '$models',
	},
	token: {
		full: '{access_token token_type expires_in expires_at refresh_token user}',
		minimal: '{access_token}',
	},
	signInError: { oauth: '{error error_description}', coded: '{code error_code msg}' },
	/** The unit of the header X-RateLimit-Reset. */
	reset: ['seconds', 'unix', 'unix-milliseconds', 'iso'],
	retryAfter: ['seconds', 'none', 'date'],
	window: ['fixed', 'rolling'],
} as const;

type Variant<Table> = Table extends readonly (infer Name)[]
	? Name
	: `${keyof Table & (string | number)}`;

export type WireShapes = { [Name in keyof typeof shapes]: Variant<(typeof shapes)[Name]> };

type ShapeNames = { readonly [Name in keyof WireShapes]: readonly WireShapes[Name][] };

export const shapeNames = Object.fromEntries(
	Object.entries(shapes).map(([name, variants]) => [
		name,
		Array.isArray(variants) ? variants : Object.keys(variants),
	]),
) as unknown as ShapeNames;

export const defaultShapes = Object.fromEntries(
	Object.entries(shapeNames).map(([name, variants]) => [name, variants[0]]),
) as WireShapes;

type Values = Readonly<Record<string, unknown>>;

export function shaped(chosen: WireShapes, name: keyof WireShapes, values: Values): unknown {
	const variants: object = shapes[name];
	return fill(Reflect.get(variants, chosen[name]), values);
}

export const fieldNames = (fields: string) => fields.slice(1, -1).split(' ').filter(Boolean);

export function withFields(names: readonly string[], values: Values): object {
	const record: Record<string, unknown> = {};
	for (const name of names) record[name] = valueNamed(name, values);
	return record;
}

function valueNamed(name: string, values: Values): unknown {
	const value = values[name];
	return typeof value === 'function' ? value() : value;
}

function fill(answer: unknown, values: Values): unknown {
	if (typeof answer === 'string') {
		if (answer.startsWith('$')) return valueNamed(answer.slice(1), values);
		return answer.startsWith('{') ? withFields(fieldNames(answer), values) : answer;
	}
	if (typeof answer !== 'object' || answer === null) return answer;
	const entries = Object.entries(answer);
	return Object.fromEntries(entries.map(([name, part]) => [name, fill(part, values)]));
}

export function restyled(part: unknown, { case: style, numbers }: WireShapes): unknown {
	if (style === 'documented' && numbers === 'numbers') return part;
	const renamed = (key: string) => {
		if (style === 'camel') return key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
		if (style === 'snake') return key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
		return key;
	};
	const restyle = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(restyle);
		if (typeof value === 'number' && numbers === 'strings') return String(value);
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value);
		return Object.fromEntries(entries.map(([key, inner]) => [renamed(key), restyle(inner)]));
	};
	return restyle(part);
}

/** Such as `list=wrapped,credits=string`. */
export function shapesFromText(text: string): Partial<WireShapes> {
	const parts = text.split(',').map(part => part.trim());
	const names = Object.keys(shapeNames) as (keyof WireShapes)[];
	return Object.fromEntries(
		parts.filter(Boolean).map(part => {
			const [shape = '', value = ''] = part.split('=').map(each => each.trim());
			const name = validName('shape', shape, names);
			const variants: readonly string[] = shapeNames[name];
			return [name, validName(`variant of the shape "${name}":`, value, variants)];
		}),
	);
}

export function validName<T extends string>(noun: string, name: string, names: readonly T[]): T {
	const matchingName = names.find(allowed => allowed === name);
	if (!matchingName) throw new Error(`Unknown ${noun} "${name}". Use one of: ${names.join(', ')}.`);
	return matchingName;
}
