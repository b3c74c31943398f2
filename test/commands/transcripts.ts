import type { Transcript } from './open.ts';
import { wrongCommands, wrongNames, wrongSettings } from './wrong-configuration.ts';

const lived = { computers: 24, isLivedIn: true } as const;
const two = { work: { computers: 3 }, lab: { computers: 4 } } as const;

/** Each command as people use it: to read, to change something, in scripts, and wrong. */
export const transcripts: readonly Transcript[] = [
	{
		name: 'help',
		world: null,
		columns: 100,
		steps: `
			--help; help; -h; list --help; stop --help; watch --help; login --help; doctor --help;
			--version; version; version --json
		`,
	},
	{
		name: 'wrong-usage',
		world: null,
		steps: `
			lst; list --fitler x; list atlas; stop; show; publish atlas; publish atlas 99999;
			list --limit 0; list --sort versoin; list --sort price; list --columns name,cpus; list --json --columns name;
			list --filter statsu:active; completion tcsh; list --timeout soon;
			stop atlas --json --wait --yes --nonsense
		`,
	},
	{
		name: 'no-account',
		world: null,
		steps: `
			list; list --json; status; status --json; show atlas; stop atlas --yes; credits; watch; log;
			monitor; doctor; logout; profiles
		`,
	},
	{
		name: 'list',
		world: lived,
		steps: `
			list; list --filter status:error; list --sort cpu:desc --limit 3;
			list --columns name,version,address,location; list --by status;
			list --by version --filter status:active
		`,
	},
	...[60, 100, 160].map(columns => ({
		name: `list-on-a-terminal-of-${columns}`,
		world: lived,
		columns,
		steps: 'list; list --filter quota; versions; models; credits; log',
	})),
	{
		name: 'list-json',
		world: { computers: 4 },
		steps: `
			list --json --filter name:atlas; list --json --filter status:error; list --by status --json;
			list --filter --json; list --filter -name:atlas --columns name
		`,
	},
	{
		name: 'fields-that-no-record-has',
		world: { computers: 24, shapes: 'usage=none' },
		steps: 'list --filter cpu:>80; list --sort storage --limit 1',
	},
	{
		name: 'list-minimal',
		world: { computers: 7, shapes: 'list=minimal' },
		steps: `
			list; status --format "{behind}"; list --filter status:error; list --json --limit 1; versions;
			versions --json; status --json
		`,
	},
	{
		name: 'list-empty',
		world: { computers: 0 },
		steps: 'list; list --json; status; versions; list --filter status:error; doctor --verbose',
	},
	{
		name: 'list-kept-in-an-outage',
		world: { computers: 4 },
		steps: `
			list; fault=*:reset; ~2m; list --timeout 20; show atlas --timeout 20;
			list --json --timeout 20
		`,
	},
	{
		name: 'show',
		world: lived,
		steps: `
			show atlas; show draco; show cygnus --json; show nothing; show atals; fault=detail:500;
			show atlas --timeout 30
		`,
	},
	{
		name: 'same-names',
		world: { computers: 3 },
		steps: `
			add=atlas; show atlas; stop atlas --yes; list --filter name:atlas;
			stop borealis cygnas atlas --yes; requests; stop sb_wjovyatbilcz --yes; requests
		`,
	},
	{
		name: 'status',
		world: { computers: 7 },
		steps: `
			status; list; status; status --json; status --format "{active}/{total}";
			status --format "{nothing}"; fault=*:reset; ~2m; status; status --json
		`,
	},
	{
		name: 'credits',
		world: lived,
		steps: 'credits; credits --json; subscription; subscription --json; ~20m; credits',
	},
	{
		name: 'models',
		world: { computers: 1 },
		steps: 'models; models --json; fault=models:503; models',
	},
	{ name: 'versions', world: lived, steps: 'versions; versions --json' },
	{
		name: 'log',
		world: { computers: 4 },
		steps: `
			log; list; restart atlas --yes --wait; fail=borealis; ~1m; list; log; log --json --limit 2;
			log --filter who:you; log atlas; log --since 1h; log --since yesterday
		`,
	},
	{
		name: 'stop',
		world: { computers: 4 },
		steps: `
			stop atlas --yes; stop atlas --yes --wait; stop atlas --yes;
			stop borealis --yes --wait --json; stop nothing --yes; stop cygnus --yes
		`,
	},
	{
		name: 'start',
		world: { computers: 4 },
		steps: 'start cygnus --yes --wait; start cygnus --yes; start draco --yes',
	},
	{
		name: 'restart',
		world: { computers: 4 },
		steps: 'restart atlas --yes --wait; restart draco --yes --wait --json; restart cygnus --yes',
	},
	{
		name: 'update',
		world: { computers: 7 },
		steps: `update --filter "version:<1.4.2" --yes --wait; update atlas --yes; versions`,
	},
	{
		name: 'create',
		world: { computers: 2 },
		steps: `
			new --name nova --yes; new --name vela --yes --wait; new --name atlas --yes; new --yes;
			new --name third --yes --json; new --name fourth --yes --timeout 10; list
		`,
	},
	{
		name: 'delete',
		world: { computers: 4 },
		steps: `
			delete atlas; delete atlas --yes; delete atlas --yes;
			delete --filter status:stopped --yes --json; list
		`,
	},
	{
		name: 'publish',
		world: { computers: 4 },
		steps: `
			publish cygnus --port 3000 --yes; publish atlas --port 3000 --yes;
			publish atlas --port 3000 --yes; publish borealis 3000 --yes; open borealis; open atlas;
			open atlas 8080; open cygnus; unpublish atlas --port 3000 --yes;
			unpublish atlas --port 3000 --yes; open atlas 3000
		`,
	},
	{
		name: 'operations-on-many',
		world: lived,
		steps: `
			stop --filter status:active --yes; start --filter "status:stopped" --yes --wait;
			restart --filter name:nothing --yes
		`,
	},
	{
		name: 'operations-on-too-many',
		world: { computers: 900 },
		steps: 'stop --filter status:active --yes; requests',
	},
	{
		name: 'operations-without-enough-time',
		world: { computers: 60 },
		steps: 'stop --filter status:active --yes --timeout 2; requests',
	},
	{
		name: 'outcomes',
		world: { computers: 7 },
		steps: `
			fault=stop:500; stop atlas --yes --wait; fault=restart:lost;
			restart atlas --yes --wait --timeout 30; fault=none; fault=start:throttle;
			start cygnus --yes --timeout 10; fault=start:hang; start cygnus --yes --timeout 12;
			fault=stop:proxy-page; stop fornax --yes; fault=*:reset; stop gemini --yes --timeout 20
		`,
	},
	{
		name: 'questions-on-a-terminal',
		world: { computers: 4 },
		columns: 100,
		steps: `
			stop atlas < y; stop atlas < n; restart borealis < y; delete borealis < borealis;
			delete atlas < wrong; new --name nova < y; stop atlas < y
		`,
	},
	{
		name: 'questions-without-a-terminal',
		world: { computers: 4 },
		steps: 'stop atlas; delete atlas; new --name nova; publish atlas --port 3000',
	},
	{
		name: 'read-only',
		profiles: { cloud: { computers: 3, lines: ['readOnly = true'] } },
		steps: 'list; stop atlas --yes; new --name nova --yes',
	},
	{
		name: 'production',
		profiles: { cloud: { computers: 4, lines: ['production = true'] } },
		columns: 100,
		steps: 'stop atlas < stop atlas cloud; delete atlas < no',
	},
	{
		name: 'refused-sign-in',
		world: { computers: 2 },
		env: { CROWSNEST_PASSWORD: 'wrong' },
		steps: 'list; list --json; status; stop atlas --yes; watch; login; profiles; monitor',
	},
	{
		name: 'refused-token',
		world: { computers: 2 },
		env: { CROWSNEST_TOKEN: 'bad' },
		steps: 'list; credits --json; doctor',
	},
	{
		name: 'faults',
		world: { computers: 3 },
		steps: `
			fault=list:503; list; list --json; fault=list:proxy-page; list; fault=list:broken-json;
			list; fault=list:hang; list --timeout 5; fault=credits:500; credits;
			fault=subscription:null-data; subscription; fault=latest:500; versions
		`,
	},
	{
		name: 'several-accounts',
		profiles: two,
		steps: `
			list; list --all-profiles; list --profile lab,work --filter name:atlas; list --profile lab;
			list --profile lab --json --limit 1; status; status --all-profiles --json;
			versions --all-profiles; versions --profile lab; credits; credits --json; subscription;
			models; watch; log; stop atlas --yes; stop lab/atlas --yes --wait;
			start lab/sb_udtv548g3c8d --yes; requests; show work/atlas; list --profile nothing; profiles;
			profiles --json; ~1m; doctor --all-profiles --verbose; list --profile lab; ~2m;
			list --profile work; status
		`,
	},
	{
		name: 'several-accounts-one-fails',
		profiles: two,
		steps: `
			fault=lab/*:500; list --all-profiles --timeout 20; status --all-profiles;
			list --all-profiles --json --timeout 20; credits --all-profiles;
			versions --all-profiles --json; fault=lab/list:hang; list --all-profiles --timeout 3;
			list --all-profiles --timeout 3 --json --limit 1; fault=work/list:hang;
			list --all-profiles --timeout 3
		`,
	},
	{
		name: 'several-accounts-in-one-limit',
		profiles: two,
		config: ['maxRequestsPerMinute = 1'],
		steps: 'credits --profile work; credits --profile lab',
	},
	{
		name: 'several-accounts-by-name',
		profiles: two,
		steps: `
			add=lab/nova; show nova --all-profiles; show nova --all-profiles --json;
			show atlas --all-profiles; show nvoa --all-profiles; open lab/atlas 8080;
			open atlas 8080 --profile work,lab; fault=work/list:503; show nova --all-profiles
		`,
	},
	{
		name: 'several-accounts-refused',
		profiles: two,
		config: ['profile = ["work", "lab"]'],
		steps: `
			stop work/atlas lab/atlas --yes; stop atlas --yes; stop atlas lab/cygnus --yes;
			stop --filter status:active --yes; new --yes; billing setup --yes;
			stop lab/atlas --profile work --yes; requests
		`,
	},
	{
		name: 'completion-of-several-accounts',
		profiles: two,
		// This profile cannot be opened, and does not hide the computers of the others.
		config: ['[profiles.half]', 'url = "https://half.example/v1"'],
		steps: `
			list --profile work; list --profile lab; requests; complete -- stop "";
			complete -- show --profile lab,work ""; complete -- stop lab/;
			complete -- stop --profile work lab/; complete -- stop --profile work "";
			complete -- --profile work stop ""; complete -- list --profile "";
			complete -- list --profile=w; complete -- list --profile half,work,;
			complete -- list --profile=half,work,;
			complete -- list --profile work --profile half --profile ""; requests
		`,
	},
	{
		name: 'demo',
		world: null,
		steps: `
			list --demo --limit 5; status --demo; show atlas --demo; stop atlas --demo --yes --wait;
			monitor --demo --computers 2
		`,
	},
	{
		name: 'config',
		world: null,
		config: [
			'theme = "light"',
			'columns = ["name", "status", "version"]',
			'[confirm]',
			'stop = "type"',
		],
		steps: 'config; config --example; config check',
	},
	{
		name: 'config-wrong',
		world: null,
		config: ['[profiles.work]', 'ulr = "https://cloud.example/v1"'],
		steps: 'list; doctor; login; config',
	},
	{
		name: 'config-of-wrong-settings',
		world: null,
		config: [wrongSettings],
		steps: 'config',
	},
	{
		name: 'config-of-wrong-names',
		world: null,
		config: [wrongNames],
		steps: 'config',
	},
	{
		name: 'config-of-wrong-commands',
		world: null,
		config: [wrongCommands],
		steps: 'config',
	},
	{
		name: 'wrong-variables',
		world: null,
		env: {
			CROWSNEST_URL: 'https://me:hunter22@env.example/v1',
			CROWSNEST_AUTH_URL: 'http://id.env.example',
			CROWSNEST_ANON_KEY: 'hunter22 hunter22',
			CROWSNEST_TOKEN: 'hunter22\r\nX-Evil: 1',
		},
		steps: 'list',
	},
	{
		name: 'config-of-a-group',
		world: null,
		config: ['[monitor]', 'theme = "light"'],
		steps: 'config; list --demo',
	},
	{
		name: 'doctor',
		world: { computers: 3, isOnLoopback: true },
		steps: `
			doctor; doctor --verbose; doctor --json; fault=list:503; doctor; fault=*:reset; doctor
		`,
	},
	{
		name: 'doctor-of-each-read',
		world: { computers: 3 },
		steps: `
			fault=list:broken-json; doctor; fault=status:null-data; doctor; fault=detail:proxy-page;
			doctor; ~1m; fault=credits:wrong-type; doctor; fault=subscription:503; doctor; ~1m;
			fault=latest:empty; doctor; fault=models:truncated; doctor
		`,
	},
	{
		name: 'doctor-of-strange-words',
		world: { computers: 3, shapes: 'words=exotic' },
		steps: 'doctor; doctor --verbose',
	},
	{
		name: 'no-password',
		world: { computers: 3 },
		env: { CROWSNEST_PASSWORD: '' },
		steps: 'list; doctor; monitor; requests',
	},
	{
		name: 'password-on-a-terminal',
		world: { computers: 3 },
		env: { CROWSNEST_PASSWORD: '' },
		columns: 100,
		steps: `
			watch < ^C; watch < ^D; list < ^C; stop atlas < ^D; doctor < ^D; doctor < ^C; requests;
			doctor < lookout; stop atlas < ^C; stop atlas < ^D; requests
		`,
	},
	{
		name: 'doctor-while-the-platform-accepts-no-requests',
		world: { computers: 3 },
		steps: 'fault=list:throttle; list --timeout 1s; requests; doctor --verbose; requests',
	},
	{
		name: 'proxy-that-cannot-be-used',
		world: { computers: 3 },
		env: { https_proxy: 'ftp://me:secret@host' },
		steps: 'list; monitor; doctor --verbose',
	},
	{
		name: 'billing',
		world: { computers: 1 },
		steps: `
			billing setup --yes; checkout --yes; checkout --yes --json; checkout; fault=checkout:lost;
			checkout --yes; requests
		`,
	},
	{
		name: 'completion',
		world: { computers: 4 },
		steps: `
			list; completion bash; completion zsh; completion fish; complete -- stop "";
			complete -- stop at; complete -- list --filter st; complete -- list --filter status:;
			complete -- list --sort c; complete -- list --columns name,v; complete -- re;
			complete -- list --; complete -- list --profile ""; complete -- publish atlas --port "";
			complete -- completion ""
		`,
	},
	{
		name: 'sign-out',
		profiles: { cloud: { computers: 2 } },
		steps: `
			list; logout; logout; logout --json; login; login --auth-url https://evil.example
		`,
	},
	{ name: 'monitor-in-a-pipe', world: { computers: 7 }, steps: '; fault=*:reset; ~2m; monitor' },
	{
		name: 'monitor-of-several-in-a-pipe',
		profiles: two,
		steps: 'monitor; fault=lab/*:500; monitor --all-profiles',
	},
	{
		name: 'record',
		world: { computers: 2 },
		steps: `
			record --help; replay --help; replay nothing.jsonl; simulate --help;
			watch --textfile /dev/null/fleet.prom; requests
		`,
	},
	{
		name: 'login-that-fails',
		world: { computers: 3 },
		steps: `
			login --auth-url https://cloud.example/elsewhere;
			login --url https://cloud.example/elsewhere/v1; fault=list:unauthorized; login;
			fault=list:proxy-page; login; fault=list:503; login; fault=sign-in:wrong-type; login;
			fault=sign-in:500; login; fault=sign-in:throttle; login; profiles
		`,
	},
	{
		name: 'login-without-a-terminal',
		world: null,
		steps: `
			login; login work --url https://cloud.example/v1; login --password=hunter22;
			login --anon-key=hunter22; login --profile ../evil
		`,
	},
	{
		name: 'waiting-for-each-outcome',
		world: { computers: 24 },
		steps: `
			stop atlas eridanus --yes --wait; start atlas --yes --wait --json;
			start draco cygnus --yes --wait; restart fornax gemini draco --yes --wait --json;
			fault=status:hang; restart gemini --yes --wait --timeout 15
		`,
	},
	{
		name: 'list-without-names',
		world: { computers: 4, shapes: 'listRecord=minimal' },
		steps: 'list; list --filter status:stopped; show cygnus; start cygnus --yes; show nothing',
	},
	{
		name: 'list-of-records-that-cannot-be-read',
		world: { computers: 3 },
		steps: 'fault=list:wrong-type; list; list --json',
	},
	{
		name: 'reasons-of-errors',
		world: { computers: 7, shapes: 'list=minimal' },
		steps: `
			fail=atlas; list --limit 3; list --filter stage:quota; fault=status:hang;
			list --filter status:error
		`,
	},
	{
		name: 'ports-unknown',
		world: { computers: 2, shapes: 'ports=none' },
		steps: `
			open atlas 8080; publish atlas 8080 --yes; ~2m; open atlas 8080; open atlas 9090;
			unpublish atlas 8080 --yes; open atlas 8080
		`,
	},
	{
		name: 'subscription-none',
		world: { computers: 1, shapes: 'subscription=null' },
		steps: 'subscription; subscription --json; credits',
	},
	{
		name: 'checkout-on-a-terminal',
		world: { computers: 1 },
		columns: 80,
		steps: 'checkout < n; checkout < y; checkout --yes --qr; billing setup < n',
	},
	{
		name: 'several-accounts-operations',
		profiles: { work: { computers: 3 }, lab: { computers: 3, lines: ['readOnly = true'] } },
		columns: 100,
		steps: `
			stop atlas < y; stop work/atlas lab/atlas < y; stop work/atlas < y; stop lab/borealis < y;
			new --name nova < y; stop --filter status:active --all-profiles < y; log --all-profiles
		`,
	},
	{
		name: 'several-accounts-questions',
		profiles: { work: { computers: 3 }, lab: { computers: 4, lines: ['production = true'] } },
		columns: 100,
		steps: `
			restart lab/atlas lab/draco < n; restart lab/atlas lab/draco < restart 2 lab;
			delete lab/atlas < atlas
		`,
	},
	{
		name: 'log-of-a-batch',
		world: { computers: 7 },
		steps: `
			stop --filter status:active --yes --wait; log; log --all;
			log --filter kind:stop --json --limit 1; log --filter whi:you; log --filter kind:stpo;
			log --filter kind:bogus
		`,
	},
	{
		name: 'columns-of-the-configuration',
		world: { computers: 2 },
		config: ['columns = ["name", "memroy"]'],
		steps: 'list; config; monitor',
	},
	{
		name: 'doctor-of-own-commands',
		world: null,
		config: [
			'[commands.fine]',
			'command = ["sh", "-c", "true"]',
			'[commands.missing]',
			'command = ["no-such-program", "{id}"]',
			'[commands.empty]',
			'[commands.clash]',
			'command = ["sh", "-c", "true"]',
			'key = "j"',
		],
		steps: 'doctor; config',
	},
	{
		name: 'completion-of-what-follows',
		world: { computers: 4 },
		steps: `
			list; complete -- open atlas ""; complete -- stop atlas ""; complete -- stop --timeout 5 cy;
			complete -- list --filter=-sta; complete -- list --filter "status:active na";
			complete -- list --sort status,; complete -- stop --yes=; complete -- help bil;
			complete -- replay ""; complete -- nonsense ""
		`,
	},
];
