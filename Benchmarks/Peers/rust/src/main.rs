//! Two pinned clients: reqwest for HTTP/1.1, and hyper with h2 on one HTTP/2 connection. Both use rustls and tokio's
//! default runtime. ClientBench runs them in a separate process for comparison with Holdfast.
//! Prints the number of requests and the duration in seconds.

mod pinned;

use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

type Failure = Box<dyn Error + Send + Sync>;

struct Options {
    url: String,
    root: String,
    pin: String,
    concurrency: usize,
    seconds: f64,
    http2: bool,
}

impl Options {
    fn parse() -> Result<Options, Failure> {
        let mut values = HashMap::new();
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            values.insert(name, arguments.next().ok_or("an option has no value")?);
        }
        let mut take = |name: &str| values.remove(name).ok_or(format!("{name} is missing"));
        Ok(Options {
            url: take("-url")?,
            root: take("-root")?,
            pin: take("-pin")?,
            concurrency: take("-concurrency")?.parse()?,
            seconds: take("-seconds")?.parse()?,
            http2: take("-http2")? == "true",
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let options = Options::parse()?;
    let tls = pinned::configuration(&options.root, &options.pin)?;
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(options.seconds);
    let requests = if options.http2 { http2(&options, tls, end).await? } else { http1(&options, tls, end).await? };
    println!("{} {}", requests, start.elapsed().as_secs_f64());
    Ok(())
}

async fn http1(options: &Options, tls: rustls::ClientConfig, end: Instant) -> Result<usize, Failure> {
    let client = reqwest::Client::builder()
        .use_preconfigured_tls(tls)
        .http1_only()
        .timeout(Duration::from_secs(60))
        .pool_max_idle_per_host(options.concurrency)
        .build()?;
    let mut tasks = JoinSet::new();
    for _ in 0..options.concurrency {
        let (client, url) = (client.clone(), options.url.clone());
        tasks.spawn(async move {
            let mut count = 0;
            while Instant::now() < end {
                let body = client.get(&url).send().await?.bytes().await?;
                check(body.len())?;
                count += 1;
            }
            Ok::<usize, Failure>(count)
        });
    }
    sum(tasks).await
}

async fn http2(options: &Options, tls: rustls::ClientConfig, end: Instant) -> Result<usize, Failure> {
    let connector =
        hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(tls).https_only().enable_http2().build();
    let client = hyper::Client::builder().http2_only(true).build::<_, hyper::Body>(connector);
    let uri: hyper::Uri = options.url.parse()?;
    let mut tasks = JoinSet::new();
    for _ in 0..options.concurrency {
        let (client, uri) = (client.clone(), uri.clone());
        tasks.spawn(async move {
            let mut count = 0;
            while Instant::now() < end {
                let response = client.get(uri.clone()).await?;
                check(hyper::body::to_bytes(response.into_body()).await?.len())?;
                count += 1;
            }
            Ok::<usize, Failure>(count)
        });
    }
    sum(tasks).await
}

fn check(length: usize) -> Result<(), Failure> {
    if length == 200 { Ok(()) } else { Err("the response has a wrong body".into()) }
}

async fn sum(mut tasks: JoinSet<Result<usize, Failure>>) -> Result<usize, Failure> {
    let mut total = 0;
    while let Some(count) = tasks.join_next().await {
        total += count??;
    }
    Ok(total)
}
