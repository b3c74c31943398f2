/**
 * The properties of answers that the platform's document leaves open. Each has the variants that real services
 * send, and the first variant is the default.
 */
export const shapeNames = {
	/**
	 * The list of computers: `{data}`, `[…]`, `{success, data}`, `{sandboxes}`, pages, a single record, or `{data}` with
	 * nothing in a record but its id, name, status and creation.
	 */
	list: ['data', 'bare', 'wrapped', 'sandboxes', 'items', 'single', 'minimal'],
	pageSize: ['20', '5', '100', '500'],
	/** The envelope of a computer's record: `{data}`, none, or `{success, data}`. */
	detail: ['data', 'bare', 'wrapped'],
	envelope: ['bare', 'data', 'wrapped'],
	/** How many fields the list has for each computer. */
	listRecord: ['full', 'minimal', 'metadata'],
	detailRecord: ['full', 'minimal', 'metadata'],
	usage: ['plain', 'suffixed', 'none'],
	ports: ['objects', 'numbers', 'none'],
	case: ['documented', 'snake', 'camel'],
	numbers: ['numbers', 'strings'],
	create: ['200', '201', '202'],
	acknowledgement: ['message', 'record', 'empty'],
	status: ['full', 'documented', 'nulls', 'minimal'],
	missingStatus: ['plain', 'error'],
	words: ['canonical', 'documented', 'everyday', 'exotic'],
	stages: ['documented', 'server'],
	deleted: ['gone', 'archived'],
	error: ['documented', 'text', 'coded', 'message', 'html', 'empty'],
	version: ['flat', 'changelog'],
	/** Whether an update request must name the new version. */
	update: ['optional', 'required'],
	publish: ['record', 'message'],
	credits: ['parts', 'string', 'expiring', 'number'],
	subscription: ['full', 'plain', 'null', 'empty'],
	checkout: ['url', 'checkout_url', 'session'],
	models: ['openai', 'models', 'bare'],
	token: ['full', 'minimal'],
	signInError: ['oauth', 'coded'],
	/** The unit of the header X-RateLimit-Reset. */
	reset: ['seconds', 'unix', 'unix-milliseconds', 'iso'],
	retryAfter: ['seconds', 'none', 'date'],
	window: ['fixed', 'rolling'],
} as const;

export type WireShapes = { [Name in keyof typeof shapeNames]: (typeof shapeNames)[Name][number] };

export const defaultShapes = Object.fromEntries(
	Object.entries(shapeNames).map(([name, values]) => [name, values[0]]),
) as WireShapes;

/** Parses a list of shapes, such as `list=wrapped,credits=string`. */
export function shapesFromText(text: string): Partial<WireShapes> {
	const parts = text.split(',').map(part => part.trim());
	return Object.fromEntries(parts.filter(part => part !== '').map(shapeFromText));
}

function shapeFromText(text: string): [string, string] {
	const [name = '', value = ''] = text.split('=').map(part => part.trim());
	const valuesByName: Readonly<Record<string, readonly string[]>> = shapeNames;
	const values = Object.hasOwn(valuesByName, name) ? valuesByName[name] : undefined;
	if (!values) {
		throw new Error(
			`Unknown shape "${name}". Use one of: ${Object.keys(valuesByName).join(', ')}.`,
		);
	}
	if (!values.includes(value)) {
		throw new Error(
			`Unknown value "${value}" for the shape "${name}". Use one of: ${values.join(', ')}.`,
		);
	}
	return [name, value];
}
