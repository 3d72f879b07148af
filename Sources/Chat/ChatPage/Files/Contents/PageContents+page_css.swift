// This file is generated: change the files in Sources/Chat/ChatPage/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension PageContents {
    /// The contents of `page.css`.
    static let page_css = ##"""
/* The styles of the chat page. All sizes along a line are logical, so that the page works in both directions. The
   theme's tokens (--chat-NAME) come from theme.css; the values here apply without a theme. */
:root {
    --background: var(--chat-background, #fff);
    --surface: var(--chat-surface, #fff);
    --text: var(--chat-text, #16181d);
    --muted: var(--chat-text-secondary, #5a5f6b);
    --accent: var(--chat-accent, #2459b8);
    --on-accent: var(--chat-on-accent, #fff);
    --incoming: var(--chat-incoming, #eef0f3);
    --on-incoming: var(--chat-on-incoming, #16181d);
    --outgoing: var(--chat-outgoing, #2459b8);
    --on-outgoing: var(--chat-on-outgoing, #fff);
    --link: var(--chat-link, #1f4fa8);
    --positive: var(--chat-positive, #176b35);
    --warning: var(--chat-warning, #8a4b00);
    --error: var(--chat-error, #b3201c);
    --error-surface: var(--chat-error-surface, #fdecec);
    --border: var(--chat-border, #7c828f);
    --disabled: var(--chat-disabled, #6b7080);
    --radius: var(--chat-bubble-radius, 14px);
    --pressed: var(--chat-accent-pressed, var(--accent));
    --button: var(--chat-button, var(--accent));
    --on-button: var(--chat-on-button, var(--on-accent));
    --quick: var(--chat-quick-reply, var(--surface));
    --on-quick: var(--chat-on-quick-reply, var(--link));
    --quick-border: var(--chat-quick-reply-border, var(--accent));
    --rating: var(--chat-rating, var(--accent));
    --system: var(--chat-system, var(--muted));
    --date: var(--chat-date, var(--muted));
    --progress: var(--chat-audio-progress, currentcolor);
    --track: var(--chat-audio-track, var(--border));
    --loading: var(--chat-loading, var(--accent));
    --input: var(--chat-input, var(--surface));
    --input-text: var(--chat-input-text, var(--text));
    --placeholder: var(--chat-placeholder, var(--muted));
    --input-border: var(--chat-input-border, var(--border));
    --title: var(--chat-title, var(--text));
    --subtitle: var(--chat-subtitle, var(--muted));
    --title-background: var(--chat-title-background, var(--surface));
    --search-background: var(--chat-search-background, var(--background));
    --search-title: var(--chat-search-title, var(--text));
    --search-subtitle: var(--chat-search-subtitle, var(--muted));
    --search-title-background: var(--chat-search-title-background, var(--surface));
    --search-input: var(--chat-search-input, var(--surface));
    --search-input-text: var(--chat-search-input-text, var(--text));
    --search-match: var(--chat-search-match, var(--link));
    --small: 500 .8125rem/1.4 system-ui, sans-serif;
    color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
    :root {
        --background: var(--chat-background, #14161a);
        --surface: var(--chat-surface, #1d2026);
        --text: var(--chat-text, #eceef2);
        --muted: var(--chat-text-secondary, #aab0bd);
        --accent: var(--chat-accent, #8db4ff);
        --on-accent: var(--chat-on-accent, #10131a);
        --incoming: var(--chat-incoming, #2a2e37);
        --on-incoming: var(--chat-on-incoming, #eceef2);
        --outgoing: var(--chat-outgoing, #274b87);
        --on-outgoing: var(--chat-on-outgoing, #fff);
        --link: var(--chat-link, #9cc0ff);
        --positive: var(--chat-positive, #7fd79b);
        --warning: var(--chat-warning, #f0b76a);
        --error: var(--chat-error, #ff9a94);
        --error-surface: var(--chat-error-surface, #3d1d1d);
        --border: var(--chat-border, #7c8494);
        --disabled: var(--chat-disabled, #8d94a3);
    }
}
/* More contrast: the theme's colors are replaced. */
@media (prefers-contrast: more) {
    :root {
        --background: #fff; --surface: #fff; --text: #000; --muted: #000; --accent: #00308f; --on-accent: #fff;
        --incoming: #fff; --on-incoming: #000; --outgoing: #00308f; --on-outgoing: #fff; --link: #00308f;
        --positive: #00401a; --warning: #4d2900; --error: #7a0000; --error-surface: #fff; --border: #000;
        --disabled: #333;
    }
    :root {
        --pressed: var(--accent); --button: var(--accent); --on-button: var(--on-accent); --quick: var(--surface);
        --on-quick: var(--link); --quick-border: var(--link); --rating: var(--accent); --system: var(--text);
        --date: var(--text); --progress: currentcolor; --track: var(--border); --loading: var(--accent);
        --input: var(--surface); --input-text: var(--text); --placeholder: var(--text); --input-border: var(--border);
        --title: var(--text); --subtitle: var(--text); --title-background: var(--surface);
        --search-background: var(--surface); --search-title: var(--text); --search-subtitle: var(--text);
        --search-title-background: var(--surface); --search-input: var(--surface); --search-input-text: var(--text);
        --search-match: var(--link);
    }
    .bubble { border: 2px solid var(--border); }
}
@media (prefers-contrast: more) and (prefers-color-scheme: dark) {
    :root {
        --background: #000; --surface: #000; --text: #fff; --muted: #fff; --accent: #b8d2ff; --on-accent: #000;
        --incoming: #000; --on-incoming: #fff; --outgoing: #001a4d; --on-outgoing: #fff; --link: #b8d2ff;
        --positive: #b5ffcb; --warning: #ffdfae; --error: #ffc7c4; --error-surface: #000; --border: #fff;
        --disabled: #ddd;
    }
}

* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { block-size: 100%; }
body {
    margin: 0; min-block-size: 100%; display: flex; background: var(--background); color: var(--text);
    font: var(--chat-font-body, 1rem/1.4 system-ui, sans-serif); overflow-wrap: anywhere;
}
h1, h2, p, ul, ol, blockquote, fieldset { margin: 0; padding: 0; border: 0; }
h1, h2 { font-size: 1em; }
ol, ul { list-style: none; }
bdi { unicode-bidi: isolate; }
a { color: var(--link); }
button, label[for=file] {
    font: var(--chat-font-button, var(--small)); min-block-size: 2rem; min-inline-size: 2rem; padding: .25rem .75rem; border-radius: .6rem;
    border: 1px solid var(--border); background: var(--surface); color: var(--text); cursor: pointer;
}
button:active { border-color: var(--pressed); color: var(--pressed); }
button:disabled { color: var(--disabled); border-style: dashed; cursor: default; }
textarea, input[type=search] {
    font: var(--chat-font-input, inherit); color: var(--input-text); background: var(--input);
    border: 1px solid var(--input-border); border-radius: .6rem; padding: .35rem .6rem; min-inline-size: 0; flex: 1;
    min-block-size: 2rem;
}
input[type=search] { font: var(--chat-font-search-input, inherit); color: var(--search-input-text); background: var(--search-input); }
textarea { resize: none; field-sizing: content; max-block-size: 8em; inline-size: 100%; }
::placeholder { color: var(--placeholder); font: var(--chat-font-placeholder, inherit); opacity: 1; }
:focus-visible, .attach:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; }
textarea:focus-visible, #scroll:focus-visible, #context-scroll:focus-visible { outline-offset: -3px; }
.without-js { display: none; }
@media (scripting: none) {
    .without-js { display: revert; }
    p.without-js { padding: .4rem .75rem; }
    .needs-js, .reply, .copy { display: none; }
    #search { display: block !important; }
}
.skip { position: absolute; inset-block-start: -10rem; background: var(--surface); padding: .75rem; z-index: 9; }
.skip:focus { inset-block-start: 0; }
.act { display: contents; }

/* The page */
#chat {
    flex: 1; min-inline-size: 0; max-inline-size: 52rem; margin-inline: auto; display: flex; flex-direction: column;
    block-size: 100vh; block-size: 100dvh; min-block-size: 17rem;
}
header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; padding: .5rem .75rem;
    border-block-end: 1px solid var(--border); background: var(--title-background); }
.heads { flex: 1; min-inline-size: 8rem; }
#title { font: var(--chat-font-bar-title, 600 1.1em/1.4 system-ui, sans-serif); color: var(--title); }
#typing, #wait, #security { font: var(--chat-font-bar-subtitle, var(--small)); color: var(--subtitle); }
#security::before { content: "●"; padding-inline-end: .35em; color: var(--positive); }
#security[data-security=systemTrust]::before { content: "◐"; color: var(--warning); }
#security[data-security=unverified] { color: var(--error); font-weight: 600; }
#security[data-security=unverified]::before { content: "▲"; color: var(--error); }
.banner, #stale, #notice { padding: .4rem .75rem; border-block-end: 1px solid var(--border);
    font: var(--chat-font-caption, var(--small)); background: var(--surface); }
.banner { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; border-inline-start: 4px solid var(--warning); }
.banner p { flex: 1; min-inline-size: 10rem; }
#stale, #notice { background: var(--error-surface); color: var(--error); border-inline-start: 4px solid var(--error); }
#stale { font-weight: 600; }
.detail { color: var(--muted); }
.countdown { font-variant-numeric: tabular-nums; }
.bar { display: flex; gap: .5rem; align-items: flex-end; }
.bar > h2 { flex: 1; align-self: center; }
.failure { color: var(--error); font: var(--chat-font-caption, var(--small)); }

/* The conversation. It scrolls from its end: the newest message is visible without a script, and the place of the
   visitor stays the same when older messages appear. */
.stage { position: relative; flex: 1; min-block-size: 6rem; display: flex; }
#scroll { flex: 1; min-inline-size: 0; overflow-y: auto; display: flex; flex-direction: column-reverse;
    overscroll-behavior: contain; background: var(--background); }
.column { flex: none; padding: .5rem .75rem; }
#paging, .edge { text-align: center; padding: .25rem; }
/* Rows keep their places when older ones appear between them and the button. */
#paging { overflow-anchor: none; }
:is(#paging, .edge) button:disabled { color: var(--loading); }
progress { accent-color: var(--loading); }
#empty { text-align: center; padding: 3rem 1rem; color: var(--muted); }
#empty h2 { font: var(--chat-font-large-title, 600 1.75rem/1.4 system-ui, sans-serif); }
.chunk, .group.full { content-visibility: auto; }
.chunk { contain-intrinsic-size: auto none auto 80rem; }
.group { contain-intrinsic-size: auto none auto 1600rem; }
#local, #context-rows { content-visibility: visible; }
.row { padding-block-start: .5rem; }
.row[data-follows] { padding-block-start: .15rem; }
[data-title-hidden="1"] #title, [data-search-title-hidden="1"] #search h2 {
    position: absolute; clip-path: inset(50%); inline-size: 1px; block-size: 1px; overflow: hidden;
}
/* For screen readers only. A cheaper way than above, because each row has one. */
.row[data-follows] .who, .who.mine { font-size: 0; line-height: 0; }
.row[data-follows] .photo, .mine .photo { display: none; }
[data-outgoing-avatar="1"] .row:not([data-follows]) .mine { font: var(--chat-font-heading2, 600 .875rem/1.4 system-ui, sans-serif); }
[data-outgoing-avatar="1"] .row:not([data-follows]) .mine .photo { display: inline-grid; }
[data-incoming-avatar="0"] .who:not(.mine) .photo { display: none; }
.day, .unread-divider { display: flex; align-items: center; gap: .75rem; color: var(--date);
    font: var(--chat-font-date, var(--small)); margin-block: .5rem; }
.day::before, .day::after, .unread-divider::before, .unread-divider::after { content: ""; flex: 1; border-block-start: 1px solid; opacity: .5; }
.unread-divider { color: var(--error); font-weight: 600; }
.bubble { inline-size: fit-content; max-inline-size: min(85%, 36rem); padding: .4rem .75rem; border-radius: var(--radius);
    background: var(--incoming); color: var(--on-incoming); font: var(--chat-font-incoming, inherit); }
[data-author=me] > .bubble { font: var(--chat-font-outgoing, inherit); margin-inline-start: auto; background: var(--outgoing); color: var(--on-outgoing); }
[data-author=me] > .bubble a { color: inherit; }
[data-author=system] > .bubble { margin-inline: auto; background: none; color: var(--system); text-align: center;
    font: var(--chat-font-system, var(--small)); }
[data-kind=survey] > .bubble { background: var(--surface); color: var(--text); border: 1px solid var(--border); text-align: start; inline-size: 100%; }
:is(.campaign, .offer) > .bubble { border-inline-start: 4px solid var(--accent); }
.target > .bubble { outline: 3px solid var(--accent); outline-offset: -3px; }
[data-state=queued]:not([data-kind=survey]) > .bubble, [data-state=uploading] > .bubble { outline: 1px dashed currentcolor; outline-offset: -4px; }
[data-state=failed] > .bubble { background: var(--error-surface); color: var(--text); border: 1px solid var(--error); }
.who { font: var(--chat-font-heading2, 600 .875rem/1.4 system-ui, sans-serif); }
.photo { inline-size: 1.75rem; block-size: 1.75rem; border-radius: 50%; display: inline-grid; place-items: center; margin-inline-end: .4rem;
    background: var(--accent); color: var(--on-accent); }
.photo img { inline-size: 100%; block-size: 100%; object-fit: cover; border-radius: 50%; }
.text { white-space: pre-wrap; }
.gone { font-style: italic; }
.quote { border-inline-start: 3px solid; padding-inline-start: .5rem; margin-block: .2rem; font: var(--chat-font-subtitle, var(--small)); max-block-size: 5em; overflow: hidden; }
.quote cite { display: block; font-style: normal; font-weight: 600; }
.meta { font: var(--chat-font-caption2, var(--small)); }
[data-author=me] > .bubble > .foot { text-align: end; }
.foot button { min-block-size: 1.5rem; min-inline-size: 1.5rem; padding: 0; margin-inline-start: .75rem; border: 0; border-radius: 0;
    background: none; color: inherit; text-decoration: underline; }
.quick { display: flex; flex-wrap: wrap; gap: .5rem; padding-block-start: .5rem; }
.quick button, .quick a { display: inline-flex; align-items: center; gap: .4rem; min-block-size: 2rem; padding: .25rem .9rem;
    border: 1px solid var(--quick-border); border-radius: 2rem; background: var(--quick); color: var(--on-quick); text-decoration: none;
    font: var(--chat-font-quick-reply, inherit); }
#toolbar .quick { padding: .5rem .75rem; flex-wrap: nowrap; overflow-x: auto; border-block-start: 1px solid var(--border); }
#toolbar .quick > *, #toolbar .quick button { flex: none; }
.quick img { block-size: 1.25rem; }
.file { display: flex; flex-wrap: wrap; gap: .15rem .5rem; align-items: center; padding-block: .2rem; }
.file .name { color: inherit; display: inline-flex; align-items: center; min-block-size: 1.5rem; min-inline-size: 1.5rem; }
.size, .note { font: var(--chat-font-caption, var(--small)); font-variant-numeric: tabular-nums; }
.thumb { flex-basis: 100%; }
.thumb img { display: block; inline-size: 15rem; max-inline-size: 100%; block-size: 10rem; object-fit: cover; border-radius: .5rem; }
progress { flex: 1; min-inline-size: 6rem; }
.voice { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; flex-basis: 100%; }
.track { position: relative; flex: 1; min-inline-size: 8rem; block-size: 2rem; }
.track > * { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; }
.track canvas { color: var(--progress); outline-color: var(--track); }
.track input { background: none; accent-color: currentcolor; }
[dir=rtl] .track canvas { transform: scaleX(-1); }
.speech { font-size: .9375em; }
.speech .label { font-weight: 600; }
.preview { display: block; margin-block: .3rem; padding: .4rem .6rem; border: 1px solid currentcolor; border-radius: .5rem; text-decoration: none; }
.preview span { display: block; }
.preview .title { font: var(--chat-font-bold, 600 1em/1.4 system-ui, sans-serif); }
.preview .site { font: var(--chat-font-footnote, var(--small)); }
.preview .description { font-size: .875em; }
.preview img { display: block; max-inline-size: 100%; block-size: 8rem; object-fit: cover; border-radius: .3rem; }
fieldset { display: flex; flex-wrap: wrap; gap: .4rem; padding-block: .3rem; min-inline-size: 0; }
legend { padding: 0; font: var(--chat-font-title, inherit); margin-block-end: .3rem; }
fieldset label { display: inline-flex; align-items: center; gap: .35rem; min-block-size: 2rem; min-inline-size: 2.5rem; padding: .1rem .6rem;
    border: 1px solid var(--border); border-radius: .6rem; cursor: pointer; }
fieldset :checked + span { box-shadow: 0 3px var(--rating); font-weight: 700; }
fieldset input { accent-color: var(--accent); inline-size: 1.1rem; block-size: 1.1rem; margin: 0; }
.comment-form label span { display: block; }
.survey > .submit, .survey > .act > button { margin-block: .3rem; margin-inline-end: .5rem; }
#new-messages { position: absolute; inset-block-end: .75rem; inset-inline-end: 1rem; border-radius: 2rem; box-shadow: 0 1px 6px #0006; z-index: 1; }
#new-messages .count:not(:empty) { font-weight: 600; padding-inline-end: .5rem; color: var(--link); }

/* Search and the surroundings of a hit */
#search { border-block-end: 1px solid var(--border); background: var(--search-background); }
#search .bar { padding: .5rem .75rem; background: var(--search-title-background); flex-wrap: wrap; }
#search h2 { flex: none; color: var(--search-title); font: var(--chat-font-search-title, inherit); }
#search-status { padding-inline: .75rem; background: var(--search-title-background); color: var(--search-subtitle);
    font: var(--chat-font-search-subtitle, var(--small)); }
mark { background: none; color: var(--search-match); font: var(--chat-font-search-match, inherit); font-weight: 700; text-decoration: underline; }
#search[data-open=false] { display: none; }
#search-results { max-block-size: 35vh; overflow-y: auto; }
.hit { display: block; inline-size: 100%; text-align: start; border: 0; border-block-end: 1px solid var(--border); border-radius: 0; background: var(--surface); font: inherit; }
.hit time { color: var(--muted); font-size: .875em; }
.hit .who { display: inline; }
.hit .text { display: block; max-block-size: 3em; overflow: hidden; }
#context { position: absolute; inset: 0; background: var(--background); display: flex; flex-direction: column; z-index: 2; }
#context > .bar { padding: .4rem .75rem; border-block-end: 1px solid var(--border); }
#context-scroll { flex: 1; overflow-y: auto; padding: .5rem .75rem; overflow-anchor: none; }

/* The input field */
#composer { padding: .5rem .75rem; border-block-start: 1px solid var(--border); background: var(--surface); }
#quote { display: flex; gap: .5rem; align-items: center; }
#quote .quote { flex: 1; }
.attach { display: inline-flex; gap: .25rem; position: relative; }
.attach label { display: inline-flex; align-items: center; }
#file { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; opacity: 0; cursor: pointer; }
@media (scripting: none) { #file { position: static; opacity: 1; inline-size: 12rem; } }
#send, .submit { background: var(--button); color: var(--on-button); border-color: var(--button); }
#send:disabled { background: none; color: var(--disabled); border-color: var(--border); }
#remaining, #blocked { font-size: .875em; color: var(--muted); }
#remaining:empty { display: none; }
#recording { display: flex; gap: .5rem; align-items: center; padding-block-start: .4rem; }
#attachments { display: flex; flex-wrap: wrap; gap: .5rem; }
.attachment { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; border: 1px solid var(--border); border-radius: .5rem; padding: .25rem .5rem; margin-block-end: .4rem; }
.attachment img { block-size: 2.5rem; inline-size: 2.5rem; object-fit: cover; border-radius: .3rem; }
.limit-error { flex-basis: 100%; color: var(--error); font-size: .875em; }
#drop { display: none; }
[data-drop] #drop { display: grid; place-items: center; position: fixed; inset: 0; background: var(--surface); opacity: .95; font-size: 1.3em;
    border: 4px dashed var(--accent); z-index: 5; }
#lightbox { max-inline-size: 96vw; max-block-size: 96vh; background: var(--surface); color: var(--text); border: 1px solid var(--border); }
#lightbox img { display: block; max-inline-size: 100%; max-block-size: 80vh; margin-block-end: .5rem; }
.refusal { display: block; padding: 1.5rem; }
#refusal { max-inline-size: 46rem; margin-inline: auto; }
#refusal h1 { font-size: 1.4em; color: var(--error); }
#refusal p { margin-block: 1rem; white-space: pre-wrap; }
#refusal li { font-family: ui-monospace, monospace; font-size: .9em; padding-block: .2rem; white-space: pre-wrap; }

/* A small window, and a large zoom: the buttons move below the field, and the page scrolls. */
@media (max-width: 30rem) {
    #composer > .bar { flex-wrap: wrap; justify-content: flex-end; }
    #composer textarea { flex-basis: 100%; order: -1; }
    .bubble { max-inline-size: 94%; }
}
@media (max-height: 24rem) {
    #chat { block-size: auto; min-block-size: 100vh; }
    .stage { min-block-size: 12rem; block-size: 12rem; flex: none; }
}
@media (prefers-reduced-motion: no-preference) {
    #typing { animation: pulse 1.6s infinite alternate; }
    @keyframes pulse { to { opacity: .75; } }
}
@media (forced-colors: active) {
    .bubble, .banner, #stale, #notice, .photo { border: 1px solid CanvasText; }
    #security::before { forced-color-adjust: none; }
}

"""##
}
