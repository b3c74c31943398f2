import { randomFraction, randomPurposes } from '../world/random.ts';

export const faultNames = {
	target: [
		'*',
		'list',
		'detail',
		'create',
		'status',
		'start',
		'stop',
		'restart',
		'delete',
		'update',
		'publish',
		'unpublish',
		'models',
		'latest',
		'initialize',
		'checkout',
		'subscription',
		'credits',
		'sign-in',
		'user',
		'sign-out',
		'page',
		'pay',
		'unknown',
	],
	kind: [
		/** `delay`: the answer is late. `hang`: the answer never arrives. */
		'delay',
		'hang',
		/** The connection ends before (`reset`) or after (`lost`) the request is carried out. */
		'reset',
		'lost',
		'500',
		'502',
		'503',
		/** A proxy answers with this status, although the platform has carried out the request. */
		'303',
		'408',
		'425',
		'499',
		/** A proxy's HTML page replaces the answer, with status 200 (`proxy-page`) or 502 (`proxy-error`). */
		'proxy-page',
		'proxy-error',
		'broken-json',
		/** `truncated`: the connection ends in the middle of the answer. */
		'truncated',
		'empty',
		'throttle',
		/** `unauthorized`: the answer is 401 although the token is valid. */
		'unauthorized',
		'wrong-type',
		'null-data',
		/** The answer has far too many values (`crowded`) or far too many nested levels (`deep`). */
		'crowded',
		'deep',
	],
} as const;

export type FaultTarget = (typeof faultNames.target)[number];
export type FaultKind = (typeof faultNames.kind)[number];

export type Fault = {
	target: FaultTarget;
	kind: FaultKind;
	/** The probability that the fault strikes a request, from 0 to 1; 1 by default. */
	chance?: number;
	/** The maximum number of requests that the fault strikes; unlimited by default. */
	count?: number;
	/** The duration of a `delay` fault in milliseconds. */
	delayMs?: number;
};

export type Faults = {
	replace(faults: readonly Fault[]): void;
	/** Returns the faults that strike a request to an endpoint, in their configured order. */
	strike(endpoint: FaultTarget): readonly Fault[];
};

export function createFaults(seed: number, faults: readonly Fault[]): Faults {
	let faultStates = faultStatesFrom(faults);
	return {
		replace(nextFaults) {
			faultStates = faultStatesFrom(nextFaults);
		},
		strike(endpoint) {
			const strikingFaults = faultStates.filter((faultState, index) => {
				const { fault, strikesLeft } = faultState;
				if (strikesLeft === 0 || (fault.target !== '*' && fault.target !== endpoint)) return false;
				const randomNumber = randomFraction(
					seed,
					randomPurposes.fault,
					index,
					faultState.drawCount++,
				);
				if (randomNumber >= (fault.chance ?? 1)) return false;
				faultState.strikesLeft -= 1;
				return true;
			});
			return strikingFaults.map(({ fault }) => fault);
		},
	};
}

const faultStatesFrom = (faults: readonly Fault[]) =>
	faults.map(fault => ({
		fault,
		drawCount: 0,
		strikesLeft: fault.count ?? Number.POSITIVE_INFINITY,
	}));

/** Parses a list of faults, such as `status:503:0.1,list:hang,stop:lost:1x,*:delay:300ms`. */
export function faultsFromText(text: string): readonly Fault[] {
	const parts = text.split(',').map(part => part.trim());
	return parts.filter(part => part !== '').map(faultFromText);
}

function faultFromText(text: string): Fault {
	const [target = '', kind = '', ...details] = text.split(':').map(part => part.trim());
	return Object.assign(
		{
			target: validName('endpoint', target, faultNames.target),
			kind: validName('fault', kind, faultNames.kind),
		},
		...details.map(faultOptionFromText),
	);
}

function validName<T extends string>(noun: string, name: string, names: readonly T[]): T {
	const matchingName = names.find(allowed => allowed === name);
	if (!matchingName) throw new Error(`Unknown ${noun} "${name}". Use one of: ${names.join(', ')}.`);
	return matchingName;
}

function faultOptionFromText(text: string): Partial<Fault> {
	const [, number = '', unit] = text.match(/^(\d*\.?\d+)(ms|x)?$/) ?? [];
	const value = Number(number);
	if (number !== '' && unit === 'ms') return { delayMs: value };
	if (number !== '' && unit === 'x') return { count: value };
	if (number !== '' && value <= 1) return { chance: value };
	throw new Error(
		`Cannot read the fault option "${text}". Use a chance (0.1), a number of times (3x) or a time (300ms).`,
	);
}
