// This file is generated: change the files in Sources/Servers/ChatDevServer/Desk/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension DeskContents {
    /// The contents of `desk.css`.
    static let desk_css = ##"""
:root {
  color-scheme: light dark;
  --background: #f5f6f8;
  --surface: #ffffff;
  --text: #1a1d21;
  --secondary: #4f5864;
  --accent: #0b57c4;
  --on-accent: #ffffff;
  --border: #767f8b;
  --line: #d5dae1;
  --client: #e7ebf1;
  --operator: #dcebff;
  --note: #fff3c9;
  --warning: #8f3d00;
  --error: #a8141f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #14171b;
    --surface: #1d2126;
    --text: #eef1f5;
    --secondary: #b3bcc8;
    --accent: #8ebcff;
    --on-accent: #10151c;
    --border: #88929f;
    --line: #3a424c;
    --client: #2a3038;
    --operator: #1d3a5f;
    --note: #463a10;
    --warning: #ffb27a;
    --error: #ff9aa2;
  }
}
@media (prefers-contrast: more) {
  :root { --secondary: var(--text); --line: var(--text); --border: var(--text); }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--background);
  color: var(--text);
  font: 1rem/1.45 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ol, ul, dl, dd, blockquote { margin: 0; }
ol, ul { padding: 0; list-style: none; }
h1 { font-size: 1.15rem; }
h2 { font-size: 1.1rem; }
h3 { font-size: 1rem; }
a { color: var(--accent); }
main a, h1 a { display: inline-block; padding-block: 0.25rem; }
h1 a { color: inherit; text-decoration: none; }
button, input, textarea { font: inherit; color: inherit; }
button, summary, .conversation a, #canned a { min-height: 2rem; }
button {
  padding: 0.25rem 0.75rem;
  border: 1px solid var(--accent);
  border-radius: 0.4rem;
  background: var(--surface);
  color: var(--accent);
  cursor: pointer;
}
#reply-send, #sign-in button { background: var(--accent); color: var(--on-accent); }
button:disabled { opacity: 0.6; cursor: default; }
input, textarea {
  padding: 0.35rem 0.5rem;
  border: 1px solid var(--border);
  border-radius: 0.4rem;
  background: var(--surface);
  max-width: 100%;
}
textarea { display: block; width: 100%; resize: vertical; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
.skip { position: absolute; inset-inline-start: -100vw; padding: 0.5rem; background: var(--surface); }
.skip:focus { inset-inline-start: 0; z-index: 1; }
.top {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  align-items: center;
  padding: 0.5rem 1rem;
  background: var(--surface);
  border-block-end: 1px solid var(--line);
}
#desk-search { flex: 1 1 14rem; }
#stale, #ended { padding: 0.5rem 1rem; background: var(--note); color: var(--text); font-weight: 600; }
.columns { display: grid; grid-template-columns: minmax(14rem, 22rem) 1fr; gap: 1rem; padding: 1rem; }
#inbox { position: sticky; inset-block-start: 1rem; align-self: start; max-block-size: calc(100vh - 2rem); overflow-y: auto; }
#inbox ol { display: grid; gap: 0.25rem; margin-block-start: 0.5rem; }
.conversation a {
  display: block;
  padding: 0.5rem;
  border: 1px solid var(--line);
  border-radius: 0.4rem;
  background: var(--surface);
  color: inherit;
  text-decoration: none;
}
.conversation a[aria-current] { border-color: var(--accent); box-shadow: inset 0.25rem 0 var(--accent); }
.conversation[data-state="waiting"] .state { color: var(--warning); font-weight: 600; }
.name { font-weight: 600; }
.state, .unread, .assignee, .blocked, .preview, .meta, .author, .size, .status { font-size: 0.875rem; color: var(--secondary); }
.unread { font-weight: 600; color: var(--accent); }
.preview { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main { min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; align-content: start; }
main:focus { outline: none; }
#head { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
#head p { flex: 1 1 100%; }
#colleagues li { padding: 0.25rem 0.5rem; background: var(--note); border-radius: 0.4rem; }
#about dl { display: grid; gap: 0.25rem; padding-block: 0.5rem; }
#about dl div { display: flex; flex-wrap: wrap; gap: 0.5rem; }
dt { font-weight: 600; }
summary { padding-block: 0.25rem; cursor: pointer; }
#messages > ol { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; align-content: start; }
#messages {
  min-height: 8rem;
  max-height: 55vh;
  overflow-y: auto;
  padding: 0.75rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 0.4rem;
}
.message { max-width: 40rem; padding: 0.5rem 0.75rem; border-radius: 0.6rem; background: var(--client); justify-self: start; }
.message[data-author="operator"], .message[data-author="bot"] { background: var(--operator); justify-self: end; }
.message[data-author="system"] { background: none; justify-self: center; }
.message[data-author="note"] { background: var(--note); border: 1px dashed var(--border); justify-self: stretch; max-width: none; }
.message .author, .message .meta, .message .size, .message .status, .message .edited { color: var(--text); }
.text, .transcript { white-space: pre-wrap; unicode-bidi: plaintext; }
.deleted { font-style: italic; }
blockquote { padding-inline-start: 0.5rem; border-inline-start: 0.2rem solid var(--border); white-space: pre-wrap; }
/* The height does not depend on the picture, so that a lazy picture moves nothing when it is loaded. */
.files img { display: block; max-width: 100%; height: 14rem; object-fit: scale-down; object-position: 0 0; }
.quick { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.quick li { padding: 0.1rem 0.5rem; border: 1px solid var(--border); border-radius: 1rem; }
#typing { min-height: 1.5rem; color: var(--secondary); }
#reply, #note { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; justify-items: start; }
#note { padding: 0.75rem; border: 1px dashed var(--border); border-radius: 0.4rem; }
#reply-help { font-size: 0.875rem; color: var(--secondary); }
#reply-error, #notice { color: var(--error); font-weight: 600; }
#canned { display: grid; gap: 0.25rem; }
#results { display: grid; gap: 0.75rem; }
#sign-in, #refusal { max-width: 28rem; margin: 3rem auto; padding: 1rem; }
#sign-in form { display: grid; gap: 0.75rem; }
#sign-in label, #sign-in input { display: block; width: 100%; }
body > main#conversation { padding: 1rem; }
@media (max-width: 48rem) {
  .columns { grid-template-columns: minmax(0, 1fr); padding: 0.5rem; }
  #inbox { position: static; max-block-size: none; }
  #inbox ol { max-height: 30vh; overflow-y: auto; }
  #messages { max-height: none; }
}
@media (forced-colors: active) {
  .message, .conversation a { border: 1px solid; }
}

"""##
}
