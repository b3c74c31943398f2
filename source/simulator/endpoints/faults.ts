import { randomFraction, randomPurposes } from '../world/random.ts';
import { refusedWith } from '../world/world.ts';
import { type EndpointResult, htmlPage } from './endpoint.ts';
import { accountEndpoints } from './routes-account.ts';
import { computerEndpoints } from './routes-computers.ts';
import { validName } from './shapes.ts';

export const tooManyRequests = refusedWith(429, 'rate_limited', 'Too many requests');
export const unauthorized = refusedWith(
	401,
	'unauthorized',
	'The access token is missing or has expired',
);

export type WireResponse = { status: number; headers: Record<string, string>; text: string };

type Effect = {
	instead?: EndpointResult;
	/** What is different in the answer of the endpoint. */
	damage?: (wire: WireResponse) => Partial<WireResponse>;
};

const withText = (text: string): Effect => ({ damage: () => ({ status: 200, text }) });

const tooLate = (status: number): Effect => ({
	damage: () => ({ status, text: '{"error":"the client took too long"}' }),
});

const effects = {
	delay: {},
	hang: {},
	/** The connection ends before or after the request is carried out, or in the middle of the answer. */
	reset: {},
	lost: {},
	truncated: {},
	500: { instead: refusedWith(500, 'internal_error', 'Internal error') },
	502: { instead: refusedWith(502, 'bad_gateway', 'The upstream service did not answer') },
	503: { instead: refusedWith(503, 'unavailable', 'The service is being maintained') },
	throttle: { instead: tooManyRequests },
	unauthorized: { instead: unauthorized },
	/** A proxy answers for the platform, before or after it has carried out the request. */
	'proxy-error': {
		instead: htmlPage(502, '502 Bad Gateway', 'The proxy could not reach the service.'),
	},
	'proxy-page': {
		damage: ({ headers }) => ({
			status: 200,
			headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' },
			text: htmlPage(200, 'Welcome', 'Please sign in to the network.').html ?? '',
		}),
	},
	303: {
		damage: ({ headers }) => ({ status: 303, headers: { ...headers, Location: '/v1/jobs/1' } }),
	},
	408: tooLate(408),
	425: tooLate(425),
	499: tooLate(499),
	'broken-json': {
		damage: ({ text }) => ({ text: `${text.slice(0, Math.ceil(text.length / 2))}{"` }),
	},
	empty: { damage: () => ({ text: '' }) },
	'wrong-type': withText('[1,2,3]'),
	'null-data': withText('{"data":null}'),
	/** The answer has far too many values, or far too many nested levels. */
	crowded: { damage: () => ({ status: 200, text: `[${'{},'.repeat(700_000)}{}]` }) },
	deep: withText('['.repeat(1_000) + ']'.repeat(1_000)),
} as const satisfies Readonly<Record<string, Effect>>;

export type FaultKind = `${keyof typeof effects}`;

export const faultTable: Readonly<Record<FaultKind, Effect>> = effects;

const endpointNames = [...computerEndpoints, ...accountEndpoints].map(({ name }) => name);
const otherNames = ['sign-in', 'user', 'sign-out', 'unknown'] as const;

export const faultNames = {
	target: ['*', ...new Set([...endpointNames, ...otherNames])],
	kind: Object.keys(effects) as FaultKind[],
} as const;

export type FaultTarget = (typeof faultNames.target)[number];

export type Fault = {
	target: FaultTarget;
	kind: FaultKind;
	chance?: number;
	count?: number;
	delayMs?: number;
};

export function createFaults(seed: number, initial: readonly Fault[]) {
	const started = (fault: Fault) => ({ fault, drawn: 0, struck: 0 });
	let faults = initial.map(started);
	return {
		replace(next: readonly Fault[]) {
			faults = next.map(started);
		},
		strike: (endpoint: string): readonly Fault[] =>
			faults.flatMap((state, index) => {
				const { target, chance = 1, count } = state.fault;
				if (state.struck === count || (target !== '*' && target !== endpoint)) return [];
				const draw = randomFraction(seed, randomPurposes.fault, index, state.drawn++);
				if (draw >= chance) return [];
				state.struck += 1;
				return [state.fault];
			}),
	};
}

/** Such as `status:503:0.1,list:hang,stop:lost:1x,*:delay:300ms`. */
export function faultsFromText(text: string): readonly Fault[] {
	const parts = text.split(',').map(part => part.trim());
	return parts.filter(Boolean).map(part => {
		const [target = '', kind = '', ...details] = part.split(':').map(each => each.trim());
		const fault: Fault = {
			target: validName('endpoint', target, faultNames.target),
			kind: validName('fault', kind, faultNames.kind),
		};
		return Object.assign(fault, ...details.map(optionFromText));
	});
}

function optionFromText(text: string): Partial<Fault> {
	const [, number = '', unit] = text.match(/^(\d*\.?\d+)(ms|x)?$/) ?? [];
	const value = Number(number);
	if (number !== '' && unit === 'ms') return { delayMs: value };
	if (number !== '' && unit === 'x') return { count: value };
	if (number !== '' && value <= 1) return { chance: value };
	const advice = 'Use a chance (0.1), a number of times (3x) or a time (300ms).';
	throw new Error(`Cannot read the fault option "${text}". ${advice}`);
}
