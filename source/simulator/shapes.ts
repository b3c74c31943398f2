/**
 * Everything that the platform's document leaves open, with the answers that are seen out there. The first
 * one of each is what is served unless somebody asks for another.
 */
export const shapeNames = {
	/** The list: `{data}`, `[…]`, `{success, data}`, `{sandboxes}`, pages, or the one record there is. */
	list: ['data', 'bare', 'wrapped', 'sandboxes', 'items', 'single'],
	pageSize: ['20', '5', '100', '500'],
	/** What is around one computer, and around any other single record. */
	detail: ['data', 'bare', 'wrapped'],
	envelope: ['bare', 'data', 'wrapped'],
	/** How much of a computer its record tells. */
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
	/** Whether an update must name the version it leads to. */
	update: ['optional', 'required'],
	publish: ['record', 'message'],
	credits: ['parts', 'string', 'expiring', 'number'],
	subscription: ['full', 'plain', 'null', 'empty'],
	checkout: ['url', 'checkout_url', 'session'],
	models: ['openai', 'models', 'bare'],
	token: ['full', 'minimal'],
	signInError: ['oauth', 'coded'],
	/** The unit of X-RateLimit-Reset. */
	reset: ['seconds', 'unix', 'unix-milliseconds', 'iso'],
	retryAfter: ['seconds', 'none', 'date'],
	window: ['fixed', 'rolling'],
} as const;

export type Shapes = { [Name in keyof typeof shapeNames]: (typeof shapeNames)[Name][number] };

export const defaultShapes = Object.fromEntries(
	Object.entries(shapeNames).map(([name, values]) => [name, values[0]]),
) as Shapes;

/** Reads `list=wrapped,credits=string`. */
export function shapesFromText(text: string): Partial<Shapes> {
	const wishes = text.split(',').map(part => part.trim());
	return Object.fromEntries(wishes.filter(wish => wish !== '').map(shapeFromText));
}

function shapeFromText(wish: string): [string, string] {
	const [name = '', value = ''] = wish.split('=').map(part => part.trim());
	const known: Readonly<Record<string, readonly string[]>> = shapeNames;
	const values = Object.hasOwn(known, name) ? known[name] : undefined;
	if (!values) {
		throw new Error(`There is no shape "${name}". There are: ${Object.keys(known).join(', ')}.`);
	}
	if (!values.includes(value)) {
		throw new Error(`The shape "${name}" is not "${value}" but one of: ${values.join(', ')}.`);
	}
	return [name, value];
}
