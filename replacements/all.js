// The build and the tests replace these parts of dependencies. Each replacement is written for one version
// of each package, and fails the build when another version is installed.
import { developerTools } from './developer-tools.js';
import { errorOverview } from './error-overview.js';
import { exitHooks } from './exit-hooks.js';
import { frameThrottle } from './frame-throttle.js';
import { inkOutput } from './ink-output.js';
import { objectHash } from './object-hash.js';
import { ofetch } from './ofetch.js';
import { sanitizeAnsi } from './sanitize-ansi.js';
import { segmenters } from './segmenters.js';
import { stringWidth } from './string-width.js';
import { terminalSize } from './terminal-size.js';
import { textCaches } from './text-caches.js';
import { unchangedTexts } from './unchanged-texts.js';
import { yoga } from './yoga.js';

export const replacements = [
	inkOutput,
	frameThrottle,
	stringWidth,
	sanitizeAnsi,
	textCaches,
	unchangedTexts,
	segmenters,
	yoga,
	ofetch,
	objectHash,
	exitHooks,
	terminalSize,
	errorOverview,
	developerTools,
];
