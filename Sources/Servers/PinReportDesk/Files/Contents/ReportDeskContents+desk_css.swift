// This file is generated: change the files in Sources/Servers/PinReportDesk/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

extension ReportDeskContents {
    /// The contents of `desk.css`.
    static let desk_css = ##"""
:root {
  color-scheme: light dark;
  --background: #f5f6f8;
  --surface: #ffffff;
  --text: #1a1d21;
  --secondary: #4f5864;
  --accent: #0b57c4;
  --border: #767f8b;
  --line: #d5dae1;
  --notice: #fff3c9;
  --expected: #dff3e3;
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
    --border: #88929f;
    --line: #3a424c;
    --notice: #463a10;
    --expected: #1c3d25;
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
h1, h2, h3, h4, p, ol, ul, dl, dd, figure { margin: 0; }
h1 { font-size: 1.3rem; }
h2 { font-size: 1.1rem; }
h3 { font-size: 1rem; }
h4 { font-size: 0.875rem; color: var(--secondary); }
a { color: var(--accent); }
nav ul, .samples ul, .certificates, .names { padding: 0; list-style: none; }
section > ul, section > ol, .diagnosis ul { padding-inline-start: 1.25rem; }
main a, .top a { display: inline-block; min-height: 1.5rem; }
summary { min-height: 1.5rem; padding-block: 0.15rem; cursor: pointer; }
main li a, main p a, td a, th a { padding-block: 0.15rem; min-width: 1.5rem; }
button, input, select { font: inherit; color: inherit; min-height: 2rem; }
button {
  padding: 0.25rem 0.75rem;
  border: 1px solid var(--accent);
  border-radius: 0.4rem;
  background: var(--surface);
  color: var(--accent);
  cursor: pointer;
}
input, select {
  max-width: 100%;
  padding: 0.3rem 0.5rem;
  border: 1px solid var(--border);
  border-radius: 0.4rem;
  background: var(--surface);
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
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
.top nav { flex: 1 1 auto; }
.top nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; }
.brand { font-weight: 600; }
.brand a { color: inherit; text-decoration: none; }
[aria-current="page"] { font-weight: 600; text-decoration-thickness: 0.2rem; }
#stale, #ended { padding: 0.5rem 1rem; background: var(--notice); color: var(--text); font-weight: 600; }
#notice { color: var(--error); font-weight: 600; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem; max-width: 80rem; margin-inline: auto; }
main:focus { outline: none; }
main > section, .rollout { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
#overview, .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 0.5rem 1rem; }
#overview { grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr)); }
#overview div { padding: 0.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.4rem; }
#overview dd { font-size: 1.3rem; font-weight: 600; }
dt { font-size: 0.875rem; color: var(--secondary); }
#filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; background: var(--surface); max-width: 100%; }
#incidents { width: 100%; max-width: none; min-width: 60rem; }
#incidents th, #incidents td, .rollout th, .rollout td { overflow-wrap: break-word; }
th, td { padding: 0.35rem 0.6rem; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400; }
thead th { font-weight: 600; }
tbody th { max-width: 20rem; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.state[data-state="new"], .state[data-state="cameBack"] { color: var(--error); font-weight: 600; }
.rollout[data-stopped="true"] { border-inline-start: 4px solid var(--error); padding-inline-start: 0.75rem; }
.state[data-state="acknowledged"] { color: var(--warning); }
.diagnosis, .certificate, .chart, pre {
  padding: 0.75rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 0.4rem;
}
.diagnosis, .certificate { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.certificates { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.certificate[data-expected="true"] { background: var(--expected); }
pre { margin: 0; white-space: pre-wrap; }
code { font-family: ui-monospace, monospace; font-size: 0.9rem; unicode-bidi: plaintext; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0.75rem; }
.chart { max-width: 100%; }
.chart svg { display: block; width: 100%; height: auto; max-width: 60rem; }
.charts svg { max-width: 30rem; }
.bar { fill: var(--accent); }
.line { stroke: var(--border); stroke-width: 1; }
.axis, .label { fill: var(--text); font-size: 12px; }
.samples ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
#sign-in, #refusal { max-width: 28rem; margin-block: 3rem; }
#sign-in form { display: grid; gap: 0.75rem; justify-items: start; }
#sign-in label, #sign-in input { display: block; }
@media (forced-colors: active) {
  .bar { fill: CanvasText; }
  .axis, .label { fill: CanvasText; }
  .certificate[data-expected="true"] { border-width: 3px; }
}
@media (max-width: 30rem) {
  main { padding: 0.5rem; }
  .axis, .label { font-size: 16px; }
}

"""##
}
