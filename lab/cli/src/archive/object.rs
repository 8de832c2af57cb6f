//! Archives in an object store of the S3 kind. Region, address and keys come from the environment,
//! as for other programs: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT,
//! AWS_ALLOW_HTTP.

use anyhow::Context;
use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

pub(super) fn get(place: &str) -> anyhow::Result<Vec<u8>> {
    let (store, path) = open(place)?;
    let got = run(async { store.get(&path).await?.bytes().await })?;
    Ok(got.with_context(|| format!("reading {place}"))?.to_vec())
}

pub(super) fn put(place: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
    let (store, path) = open(place)?;
    let payload = PutPayload::from(bytes);
    let done = run(async { store.put(&path, payload).await })?;
    done.map(drop).with_context(|| format!("writing {place}"))
}

pub(super) fn delete(place: &str) -> anyhow::Result<()> {
    let (store, path) = open(place)?;
    match run(async { store.delete(&path).await })? {
        Err(object_store::Error::NotFound { .. }) => Ok(()),
        other => other.with_context(|| format!("removing {place}")),
    }
}

fn open(place: &str) -> anyhow::Result<(impl ObjectStore, Path)> {
    let rest = place.strip_prefix(super::S3).unwrap_or(place);
    let (bucket, key) = rest
        .split_once('/')
        .with_context(|| format!("{place}: an archive is s3://BUCKET/FOLDER"))?;
    let store = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .build()
        .with_context(|| format!("the object store of {place}"))?;
    Ok((store, Path::parse(key)?))
}

fn run<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the client of the object store")?;
    Ok(runtime.block_on(work))
}
