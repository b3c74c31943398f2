import { type Answer, page } from './answer.ts';
import { statusWord } from './encode-words.ts';
import type { Refusal } from './refusal.ts';
import type { Shapes } from './shapes.ts';

/** A refusal in the shape in which that service tells its errors. */
export function refusalAnswer(refusal: Refusal, shapes: Shapes, origin: string): Answer {
	const { status, code, message } = refusal;
	const state = refusal.computer && { status: statusWord(refusal.computer, shapes) };
	const portal = refusal.isPayable && { portal_url: `${origin}/portal` };
	switch (shapes.error) {
		case 'documented':
			return { status, json: { error: { message, code }, ...state } };
		case 'text':
			return { status, json: { success: false, error: message, ...state } };
		case 'coded':
			return { status, json: { success: false, error: message, code, ...portal, ...state } };
		case 'message':
			return { status, json: { message, ...state } };
		case 'html':
			return page(status, `${status}`, message);
		case 'empty':
			return { status };
	}
}

/** The identity provider has one shape for all but a wrong password, and words of its own. */
export function authRefusalAnswer({ status, code, message }: Refusal): Answer {
	const error_code = status === 429 ? 'over_request_rate_limit' : code;
	return { status, json: { code: status, error_code, msg: message } };
}
