import { replaceOnce } from './edit.js';

export const frameThrottle = {
	name: 'frame-throttle',
	reason:
		'Ink limits how often it draws and how often it writes, with a timer for each. crowsnest limits the frames of answers itself, and draws the effect of each key at once. So its timers only take time, and could delay the frame of a key.',
	gain: 'A move of the cursor, from reading the key to writing the frame, together with effects for which React plans no turn of the event loop: 1.55 ms before, 1.44 ms now.',
	upstream: 'None: Ink documents `maxFps`, but sets its timers even if that is infinite.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/ink.js': source =>
			replaceOnce(
				source,
				'const isUnthrottled = options.debug',
				'const isUnthrottled = options.maxFps === Infinity || options.debug',
			),
	},
};
